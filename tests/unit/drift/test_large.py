"""`drift` of an environment with 1,000 nodes: few calls, as services limit them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from botocore.client import BaseClient

from local_aws.quotas import set_quota, vcpu_quotas
from neuron_cluster.aws.cloudformation import create_stack
from tests.golden_stacks import GOLDEN, deploy_goldens

from .conftest import Deployed, Environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME = "train-trn1"
GROUPS, NODES = 20, 50
MOST_CALLS = 400


def create_groups(environment: Environment) -> None:
    """Creates the stack of nodes with many node groups like the one of the golden, each with a launch template."""
    name = environment.plan.stack_name("nodes")
    template = json.loads((GOLDEN / NAME / f"{name}.template.json").read_text())
    types = {key: each["Type"] for key, each in template["Resources"].items()}
    (group,) = [key for key, kind in types.items() if kind == "AWS::EKS::Nodegroup"]
    (launch,) = [key for key, kind in types.items() if kind == "AWS::EC2::LaunchTemplate"]
    originals = {key: template["Resources"].pop(key) for key in (group, launch)}
    for number in range(GROUPS):
        made = json.loads(json.dumps(copy.deepcopy(originals)).replace(launch, f"Launch{number}"))
        sizes = {"MinSize": 0, "DesiredSize": NODES, "MaxSize": NODES}
        made[group]["Properties"] |= {"NodegroupName": f"pool-{number}", "ScalingConfig": sizes}
        template["Resources"] |= {f"Pool{number}": made[group], f"Launch{number}": made[f"Launch{number}"]}
    template.pop("Outputs", None)
    create_stack(environment.target, name, json.dumps(template), {})


def test_a_thousand_nodes_are_compared_with_few_calls(deployed: Deployed, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = deployed(NAME, ("network",))
    for code in vcpu_quotas():
        set_quota(environment.aws.store, environment.plan.account, environment.plan.region, code, 10**6)
    deploy_goldens(environment.target, environment.plan, ("storage", "cluster", "system", "software", "observability"))
    create_groups(environment)
    made: list[str] = []
    call = BaseClient._make_api_call

    def noted(client: Any, operation: str, parameters: Any) -> Any:
        made.append(operation)
        return call(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    found = environment.drift()
    assert (found.drifts, found.compared) == ((), found.resources)
    assert len(made) <= MOST_CALLS, made
    assert found.calls == len(made)
