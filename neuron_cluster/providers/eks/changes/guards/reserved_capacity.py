"""CloudFormation creates the new group before it deletes the old one: reserved capacity is too small for both."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.eks.changes.group_cause import why_group_replaced
from neuron_cluster.providers.eks.changes.moved_groups import moved_groups
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP

RESERVED_KINDS = ("CAPACITY_BLOCK",)


class ReservedCapacityTaken(Guard):
    """A node group on reserved capacity is not replaced in one step (`capacity`).

    The new group starts before the old one is deleted, and the reservation or block has no free instance: the new nodes
    fail to launch, and the deploy rolls back after its time-out.
    """

    id = "E9007"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        ended = [a for a in (*comparison.replaced, *comparison.removed) if comparison.type_of(a) == NODE_GROUP]
        created = [a for a in (*comparison.replaced, *comparison.added) if comparison.type_of(a) == NODE_GROUP]
        needed = {address: _reserved_capacity(comparison.after, address) for address in created}
        for address in ended:
            held = _reserved_capacity(comparison.before, address)
            if held is None or address.stack in comparison.gone_stacks:
                continue
            takers = [a for a, capacity in needed.items() if capacity == held]
            if takers:
                yield _reserved(comparison, address, takers)


def _reserved_capacity(stacks: StackSet, address: Address) -> str | None:
    """Which reserved capacity a node group runs on; None when it runs on none."""
    properties = stacks.properties(address)
    for reference in references(value_at(properties, ("LaunchTemplate", "Id"))):
        template = stacks.properties(reference.target)
        specification = ("LaunchTemplateData", "CapacityReservationSpecification")
        # With a preference alone instances run on demand where the reservation is taken: nothing is held.
        if target := value_at(template, (*specification, "CapacityReservationTarget")):
            return normal_text(target)
    kind = properties.get("CapacityType")
    return str(kind) if kind in RESERVED_KINDS else None


def _reserved(comparison: Comparison, address: Address, takers: list[Address]) -> Violation:
    hint = (
        "take two steps: 1. take the group out of the file and deploy, which frees the capacity (its nodes go); 2. put "
        "the edited group into the file and deploy"
    )
    if any(moved_groups(comparison).get(taker) == address for taker in takers):  # its stack is new, not its setting
        hint = (
            "take two steps: 1. write capacity: {kind: on_demand} for the group and deploy, which starts such nodes "
            "first; 2. put the reservation back and deploy"
        )
    if address in comparison.replaced:
        what = f"would be replaced, because {why_group_replaced(comparison, address)}"
    else:
        what = f"would be removed, and {listed([name_in(comparison, a) for a in takers])} takes its place"
    return Violation(
        address,
        f"{name_in(comparison, address)} runs on reserved capacity and {what}; the new nodes start before the old ones "
        "end, and the capacity is taken",
        hint,
    )
