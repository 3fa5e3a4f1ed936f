"""A node group that would go to another stack: its old nodes end before the new ones start, or both want one name."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.moved_groups import goes_to_system_stack, moved_groups
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.summary.node_group_state import NodeGroupState
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.node_stacks import SYSTEM_STACK


def moved_group_refusals(comparison: Comparison) -> list[Finding]:
    """E9008, once for each group; of a group that an upgrade moves to the system stack, none."""
    return [
        _other_kind(comparison, new, old) if SYSTEM_STACK in map(_part, (new, old)) else _refusal(comparison, new, old)
        for new, old in moved_groups(comparison).items()
        if not goes_to_system_stack(comparison, new, old)
    ]


def _part(address: Address) -> str:
    return address.stack.rpartition("-")[2]


def _refusal(comparison: Comparison, new: Address, old: Address) -> Finding:
    return Finding(
        "E9008",
        place(new),
        f"{name_in(comparison, new)} would go from the stack {old.stack} to {new.stack}: its nodes would be "
        "replaced, and EKS refuses the new group while the old one has its name",
        "keep the groups in their places, fifty to a stack: put new ones at the end of eks.node_groups, and instead of "
        "taking out one before the last stack, set its count to min: 0, desired: 0",
    )


def _other_kind(comparison: Comparison, new: Address, old: Address) -> Finding:
    """Groups with and without Neuron devices are in other stacks, with the software between them."""
    name = NodeGroupState(comparison.after, new).name
    return Finding(
        "E9008",
        place(new),
        f"{name_in(comparison, new)} would go from the stack {old.stack} to {new.stack}: groups with and without "
        "Neuron devices are in other stacks, and one of the two is changed long before the other",
        f"take two steps: 1. undo the edit of {name}, append a group of another name with the new instance type and "
        f"deploy; 2. take {name} out of eks.node_groups and deploy",
    )
