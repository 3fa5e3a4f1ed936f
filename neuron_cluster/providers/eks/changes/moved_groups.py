"""Node groups that an edit carries from one stack to another, and the one such move that is allowed."""

from __future__ import annotations

from local_aws.cloudformation.values import Address
from local_kubernetes.model.names import NEURON
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.plan.node_stacks import NODE_STACKS, SYSTEM_STACK
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP


def moved_groups(comparison: Comparison) -> dict[Address, Address]:
    """Where each comes from, by its new place. Its logical id is the same in every stack (ADR 0007)."""
    going = {a.logical_id: a for a in comparison.removed if comparison.type_of(a) == NODE_GROUP}
    coming = [a for a in comparison.added if comparison.type_of(a) == NODE_GROUP and a.logical_id in going]
    pairs = {new: going[new.logical_id] for new in coming}
    return {new: old for new, old in pairs.items() if _of_one_cluster(comparison, new, old)}


def moves_to_system_stack(comparison: Comparison, new: Address, old: Address) -> bool:
    """Whether this is what an upgrade does once: a group without Neuron devices gets its place before the software.

    The stack of its new place is deployed before the one of its old place, and its new name is another one, so that it
    has nodes before the old ones are drained (ADR 16).
    """
    environment = new.stack.removesuffix(f"-{SYSTEM_STACK}")
    to_system = new.stack == f"{environment}-{SYSTEM_STACK}"
    from_nodes = old.stack in {f"{environment}-{stack_key}" for stack_key in NODE_STACKS}
    return to_system and from_nodes and not has_neuron_taint(comparison, old) and _is_renamed(comparison, new, old)


def has_neuron_taint(comparison: Comparison, address: Address) -> bool:
    """Whether the deployed group is one with Neuron devices, which all have this taint."""
    taints = comparison.before.properties(address).get("Taints")
    return isinstance(taints, list) and any(isinstance(t, dict) and t.get("Key") == NEURON for t in taints)


def _of_one_cluster(comparison: Comparison, new: Address, old: Address) -> bool:
    """Names are unique in a cluster: a renamed environment has another one, with groups of the same ids."""
    after, before = comparison.after.properties(new), comparison.before.properties(old)
    return bool(after.get("ClusterName") == before.get("ClusterName"))


def _is_renamed(comparison: Comparison, new: Address, old: Address) -> bool:
    """Whether both names are given and differ."""
    states = (comparison.before.properties(old), comparison.after.properties(new))
    before, after = (properties.get("NodegroupName") for properties in states)
    return isinstance(before, str) and isinstance(after, str) and before != after
