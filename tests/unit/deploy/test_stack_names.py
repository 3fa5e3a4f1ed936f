"""The parts that a destroy knows are those that a plan can have."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from neuron_cluster.deploy.stack_names import PARTS, STATE, UNDER_STATE
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.image_cache_plan import ImageCachePlan
from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS


def test_every_part_of_the_fullest_environment_is_known_in_deploy_order(
    training: ClusterPlan, plan_of: Callable[..., ClusterPlan]
) -> None:
    assert training.eks is not None
    many = training.eks.node_groups * GROUPS_PER_STACK * len(NODE_STACKS)
    eks = replace(training.eks, node_groups=many, image_cache=ImageCachePlan(("eks", "image_cache"), "registry", ()))
    assert replace(training, eks=eks, workstations=plan_of("workstation").workstations).stacks == PARTS


def test_data_stands_on_what_is_deployed_before_it() -> None:
    assert all(PARTS.index(part) < PARTS.index(STATE) for part in UNDER_STATE)
