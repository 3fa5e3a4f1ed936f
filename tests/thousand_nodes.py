"""train-trn1 with 1,000 nodes in 20 node groups, deployed from its golden templates on a local AWS."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from local_aws.quotas import set_quota, vcpu_quotas
from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from tests.golden_stacks import GOLDEN, deploy_goldens

NAME = "train-trn1"
GROUPS, NODES = 20, 50


def deploy_thousand_nodes(aws: LocalAws, target: LocalTarget, file: Path) -> ClusterPlan:
    """Writes the groups into the file of train-trn1 and deploys them; the account is prepared."""
    plan = check_environment(file).require_plan()
    for code in vcpu_quotas():
        set_quota(aws.store, plan.account, plan.region, code, 10**6)
    deploy_goldens(target, plan, ("network", "storage", "cluster"))
    large = _with_many_groups(file)
    _create_groups(target, large, "system", large.node_groups[:1])
    deploy_goldens(target, plan, ("software", "observability"))
    _create_groups(target, large, "nodes", large.node_groups[1:])
    return large


def _with_many_groups(file: Path) -> ClusterPlan:
    """The plan with many alike node groups in the place of the Neuron group."""
    tree: dict[str, Any] = yaml.safe_load(file.read_text())
    system, neuron = tree["eks"]["node_groups"]
    neuron.update(count={"min": 0, "desired": NODES, "max": NODES}, pods_per_node=4, subnets="secondary")
    pools = [copy.deepcopy({**neuron, "name": f"pool-{number}"}) for number in range(GROUPS)]
    tree["eks"]["node_groups"] = [system, *pools]
    tree["eks"]["prefix_delegation"] = True
    of_pods = {"cidr": "100.64.0.0/16", "availability_zone": neuron["availability_zone"]}
    tree["network"]["secondary_cidrs"] = [of_pods]
    tree["storage"].pop("checkpoints", None)
    file.write_text(yaml.safe_dump(tree))
    return check_environment(file).require_plan()


def _create_groups(target: LocalTarget, plan: ClusterPlan, part: str, groups: Sequence[ManagedNodeGroupPlan]) -> None:
    """Creates a stack of nodes with the node groups of the plan, all like the one of the golden."""
    name = plan.stack_name(part)
    template = json.loads((GOLDEN / NAME / f"{name}.template.json").read_text())
    (original,) = [key for key, each in template["Resources"].items() if each["Type"] == "AWS::EKS::Nodegroup"]
    like = template["Resources"].pop(original)
    for number, group in enumerate(groups):
        made = copy.deepcopy(like)
        sizes = {"MinSize": group.min, "DesiredSize": group.desired, "MaxSize": group.max}
        made["Properties"] |= {"NodegroupName": group.physical_name, "ScalingConfig": sizes}
        template["Resources"][f"Pool{number}"] = made
    template.pop("Outputs", None)
    create_stack(target, name, json.dumps(template), {})
