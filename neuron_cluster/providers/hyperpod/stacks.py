"""Rows of a HyperPod cluster in the stack table."""

from __future__ import annotations

from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.node_stacks import CLUSTER_STACK, SOFTWARE_STACK
from neuron_cluster.plan.stack_spec import StackSpec

HYPERPOD = StackSpec(
    # What is scarce and paid for is created last and deleted first (ADR 16).
    stack_key="hyperpod",
    purpose="HyperPod cluster with its instance groups, execution role and life cycle script",
    key="hyperpod",
    module="stacks.hyperpod.cluster",
    after=(NETWORK.stack_key, STORAGE.stack_key, CLUSTER_STACK, SOFTWARE_STACK),
    waits_for=(SOFTWARE_STACK,),  # HyperPod requires the objects of its chart
)

STACKS = (HYPERPOD,)
"""In deploy order."""
