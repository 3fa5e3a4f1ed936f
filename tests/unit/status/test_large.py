"""`status` of an environment with 1,000 nodes: few calls, as services limit them."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.client import BaseClient

from local_aws.quotas import set_quota, vcpu_quotas
from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import Verdict
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from neuron_cluster.status.environment_status import read_status
from tests.golden_stacks import GOLDEN, deploy_goldens

from .conftest import Deployed, Environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME = "train-trn1"
GROUPS, NODES = 20, 50
MOST_CALLS = 200


def with_many_groups(project: Path) -> ClusterPlan:
    """The plan of train-trn1 with many alike node groups in the place of its Neuron group."""
    file = project / "environments" / f"{NAME}.yaml"
    tree: dict[str, Any] = yaml.safe_load(file.read_text())
    system, neuron = tree["eks"]["node_groups"]
    neuron.update(count={"min": 0, "desired": NODES, "max": NODES}, pods_per_node=4)
    pools = [copy.deepcopy({**neuron, "name": f"pool-{number}"}) for number in range(GROUPS)]
    tree["eks"]["node_groups"] = [system, *pools]
    tree["network"]["cidr"] = "10.0.0.0/16"
    tree["storage"].pop("checkpoints", None)
    file.write_text(yaml.safe_dump(tree))
    checked = check_environment(file)
    assert checked.draft is not None, [each.message for each in checked.findings if each.id[0] == "E"]
    return checked.draft


def create_groups(
    environment: Environment, plan: ClusterPlan, stack_key: str, groups: Sequence[ManagedNodeGroupPlan]
) -> None:
    """Creates a stack of nodes with the node groups of the plan, all like the one of the golden."""
    name = plan.stack_name(stack_key)
    template = json.loads((GOLDEN / NAME / f"{name}.template.json").read_text())
    (original,) = [key for key, each in template["Resources"].items() if each["Type"] == "AWS::EKS::Nodegroup"]
    like = template["Resources"].pop(original)
    for number, group in enumerate(groups):
        made = copy.deepcopy(like)
        sizes = {"MinSize": group.min, "DesiredSize": group.desired, "MaxSize": group.max}
        made["Properties"] |= {"NodegroupName": group.physical_name, "ScalingConfig": sizes}
        template["Resources"][f"Pool{number}"] = made
    template.pop("Outputs", None)
    create_stack(environment.target, name, json.dumps(template), {})


def test_a_thousand_nodes_are_read_with_few_calls(
    deployed: Deployed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = deployed(NAME, ("network",))
    for code in vcpu_quotas():
        set_quota(environment.aws.store, environment.plan.account, environment.plan.region, code, 10**6)
    deploy_goldens(environment.target, environment.plan, ("storage", "cluster"))
    plan = with_many_groups(project)
    create_groups(environment, plan, "system", plan.node_groups[:1])
    deploy_goldens(environment.target, environment.plan, ("software", "observability"))
    create_groups(environment, plan, "nodes", plan.node_groups[1:])
    made: list[str] = []
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    access = local_destination(environment.aws.endpoint, plan.account, plan.region)
    status = read_status(
        plan, access, load_catalog(), at=datetime.now(UTC), argument=NAME, of_file=lambda _deployed: None
    )
    causes = {line.subject: line.cause for line in status.lines}
    assert [line for line in status.lines if line.verdict is not Verdict.HEALTHY] == []
    assert causes["pool-7"] == f"{NODES} of {NODES} instances in service, ACTIVE"
    assert causes["status checks"].startswith(f"{GROUPS * NODES + 2} instances without")
    assert len(made) <= MOST_CALLS, made
