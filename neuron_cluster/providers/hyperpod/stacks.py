"""Rows of a HyperPod cluster in the stack table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.node_stacks import CLUSTER_STACK, SOFTWARE_STACK
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodOnEksPlan

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.providers.hyperpod.plan.task_governance_plan import TaskGovernancePlan


def governance_of(plan: ClusterPlan) -> TaskGovernancePlan | None:
    """None without ``hyperpod.task_governance``."""
    hyperpod = plan.provider(HyperPodOnEksPlan)
    return hyperpod.task_governance if hyperpod is not None else None


def _has_governance(plan: ClusterPlan) -> bool:
    return governance_of(plan) is not None


def _resources_of_governance(plan: ClusterPlan) -> int:
    """Add-on and policy; a compute quota and a namespace for each team; objects in these namespaces."""
    governance, cluster = governance_of(plan), plan.kubernetes
    if governance is None or cluster is None:
        return 0
    moved = sum(map(cluster.is_in_governed_namespace, cluster.manifests))
    return 2 + 2 * len(governance.quotas) + moved + len(cluster.team_manifests)


HYPERPOD = StackSpec(
    # What is scarce and paid for is created last and deleted first (ADR 16).
    stack_key="hyperpod",
    purpose="HyperPod cluster with its instance groups, execution role and life cycle script",
    key="hyperpod",
    module="stacks.hyperpod.cluster",
    after=(NETWORK.stack_key, STORAGE.stack_key, CLUSTER_STACK, SOFTWARE_STACK),
    waits_for=(SOFTWARE_STACK,),  # HyperPod requires the objects of its chart
)

GOVERNANCE = StackSpec(
    # The add-on requires a HyperPod node, and SageMaker deletes no cluster with a policy.
    stack_key="governance",
    purpose="task governance: add-on, cluster policy, compute quotas and the namespaces of teams",
    key="hyperpod.task_governance",
    module="stacks.hyperpod.task_governance",
    is_planned=_has_governance,
    after=(NETWORK.stack_key, STORAGE.stack_key, CLUSTER_STACK, SOFTWARE_STACK, HYPERPOD.stack_key),
    waits_for=(SOFTWARE_STACK,),  # objects of teams are of kinds that charts define
    resources=_resources_of_governance,
)

STACKS = (HYPERPOD, GOVERNANCE)
"""In deploy order."""
