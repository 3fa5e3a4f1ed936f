"""The description that only stacks of the toolkit have."""

from __future__ import annotations

from neuron_cluster.plan.cluster_plan import ClusterPlan


def stack_description(plan: ClusterPlan, stack_key: str) -> str:
    """The description that templates of the toolkit have; a test compares it with them."""
    return f"Neuron cluster {plan.name}: {stack_key}"
