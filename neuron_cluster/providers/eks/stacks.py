"""Rows of an EKS cluster in the stack table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.node_stacks import CLUSTER_STACK, NODE_STACKS, SOFTWARE_STACK, SYSTEM_STACK
from neuron_cluster.plan.stack_spec import Holds, StackSpec
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan

NODE_GROUPS_KEY = "eks.node_groups"
RESOURCES_OF_GROUP = 2
"""Launch template and node group; a test compares these numbers with templates."""
RESOURCES_OF_NODES_STACK = 1
"""The role of the nodes."""


def _has_image_cache(plan: ClusterPlan) -> bool:
    cluster = plan.provider(EksPlan)
    return cluster is not None and cluster.image_cache is not None


def _has_teams(plan: ClusterPlan) -> bool:
    """Task governance makes the namespaces of teams: then its stack has their access."""
    return plan.kubernetes is not None and bool(plan.kubernetes.teams) and not plan.kubernetes.is_governed


def _resources_of_teams(plan: ClusterPlan) -> int:
    return len(plan.kubernetes.team_manifests) if plan.kubernetes is not None else 0


def _group_stacks(plan: ClusterPlan) -> Mapping[str, tuple[ManagedNodeGroupPlan, ...]]:
    cluster = plan.provider(EksPlan)
    return cluster.group_stacks if cluster is not None else {}


def _has_groups(stack_key: str) -> Callable[[ClusterPlan], bool]:
    return lambda plan: stack_key in _group_stacks(plan)


def _resources_of_groups(stack_key: str) -> Callable[[ClusterPlan], int]:
    def counted(plan: ClusterPlan) -> int:
        groups = _group_stacks(plan).get(stack_key, ())
        placed = sum(group.machine.placement_strategy is not None for group in groups)
        return RESOURCES_OF_NODES_STACK + RESOURCES_OF_GROUP * len(groups) + placed

    return counted


def _node_stack(stack_key: str, purpose: str, *after: str, waits_for: tuple[str, ...] = ()) -> StackSpec:
    return StackSpec(
        stack_key=stack_key,
        purpose=purpose,
        key=NODE_GROUPS_KEY,
        module="stacks.eks.nodes",
        is_planned=_has_groups(stack_key),
        after=(NETWORK.stack_key, *after),
        waits_for=waits_for,
        resources=_resources_of_groups(stack_key),
    )


IMAGES = StackSpec(
    stack_key="images",
    purpose="rules of the ECR cache that images and charts come through",
    key="eks.image_cache",
    module="stacks.eks.image_cache",
    is_planned=_has_image_cache,
)
CLUSTER = StackSpec(
    stack_key=CLUSTER_STACK,
    purpose="control plane, access, add-ons that nodes need",
    key="eks",
    module="stacks.eks.cluster",
    after=(NETWORK.stack_key,),
    holds=Holds.OBJECTS,
)
SYSTEM = _node_stack(SYSTEM_STACK, "node groups without Neuron devices, which the software runs on", CLUSTER.stack_key)
SOFTWARE = StackSpec(
    stack_key=SOFTWARE_STACK,
    purpose="add-ons and charts that need nodes",
    key="eks.addons",
    module="stacks.eks.software",
    after=(NETWORK.stack_key, STORAGE.stack_key, IMAGES.stack_key, CLUSTER.stack_key, SYSTEM.stack_key),
    waits_for=(IMAGES.stack_key, SYSTEM.stack_key),
)
TEAMS = StackSpec(
    stack_key="teams",
    purpose="access and limits of the namespaces of teams",
    key="teams",
    module="stacks.eks.teams",
    is_planned=_has_teams,
    after=(CLUSTER.stack_key, SOFTWARE.stack_key),
    waits_for=(SOFTWARE.stack_key,),  # which makes the namespaces
    resources=_resources_of_teams,
)
NODES = tuple(
    # What is scarce and paid for is created last and deleted first (ADR 16).
    _node_stack(
        stack_key,
        "node groups with Neuron devices",
        CLUSTER.stack_key,
        SOFTWARE.stack_key,
        waits_for=(SOFTWARE.stack_key,),
    )
    for stack_key in NODE_STACKS
)

STACKS = (IMAGES, CLUSTER, SYSTEM, SOFTWARE, TEAMS, *NODES)
"""In deploy order."""
