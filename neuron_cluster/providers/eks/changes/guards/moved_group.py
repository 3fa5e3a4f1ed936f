"""A node group that an edit would move to another stack."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.plan.node_stacks import SYSTEM_STACK
from neuron_cluster.providers.eks.changes.moved_groups import moved_groups, moves_to_system_stack
from neuron_cluster.providers.eks.changes.node_group_state import NodeGroupState


class NodeGroupMoved(Guard):
    """A node group stays in its CloudFormation stack (`eks.node_groups`).

    Stacks hold fifty groups each, in the order of the file, and those without Neuron devices have a stack of their
    own. A group that an edit moves to another stack would be deleted in one and created in the other: its nodes are
    replaced, and EKS rejects the new group while the old one has its name. A group without Neuron devices that an
    upgrade of this toolkit moves to the system stack is allowed: it gets another name. E9008 is the same conflict of a
    resource that is replaced inside of its stack.
    """

    id = "E9021"
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each group."""
        for new, old in moved_groups(comparison).items():
            if moves_to_system_stack(comparison, new, old):
                continue
            is_other_kind = SYSTEM_STACK in map(_part, (new, old))
            yield (_of_other_kind if is_other_kind else _of_other_place)(comparison, new, old)


def _part(address: Address) -> str:
    return address.stack.rpartition("-")[2]


def _of_other_place(comparison: Comparison, new: Address, old: Address) -> Violation:
    return Violation(
        new,
        f"{name_in(comparison, new)} would move from the stack {old.stack} to {new.stack}: its nodes would be "
        "replaced, and EKS rejects the new group while the old one has its name",
        "keep the groups in their places, fifty to a stack: put new ones at the end of eks.node_groups, and instead of "
        "taking out one before the last stack, set its count to min: 0, desired: 0",
    )


def _of_other_kind(comparison: Comparison, new: Address, old: Address) -> Violation:
    """Groups with and without Neuron devices are in other stacks; the software is deployed between them."""
    name = NodeGroupState(comparison.after, new).name
    return Violation(
        new,
        f"{name_in(comparison, new)} would move from the stack {old.stack} to {new.stack}: groups with and without "
        "Neuron devices are in other stacks, and one of the two is changed long before the other",
        f"take two steps: 1. undo the edit of {name}, append a group of another name with the new instance type and "
        f"deploy; 2. take {name} out of eks.node_groups and deploy",
    )
