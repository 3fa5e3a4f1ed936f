"""CloudFormation creates the new group before it deletes the old one: reserved capacity is too small for both."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.changes.resource_kinds import COMPUTE_NODE_GROUP
from neuron_cluster.providers.pcs.changes.source import SlurmChanges


class SlurmReservedCapacityTaken(Guard):
    """A compute node group on reserved capacity is not replaced in one step (`capacity`).

    The new group starts `count.min` nodes before the old one is deleted, and the reservation or block has no free
    instance: PCS reports an error of the group.
    """

    id = "E9065"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        changes = SlurmChanges()
        ended, created = (
            [address for address in sorted(addresses) if comparison.type_of(address) == COMPUTE_NODE_GROUP]
            for addresses in ((*comparison.replaced, *comparison.removed), (*comparison.replaced, *comparison.added))
        )
        starting = {address: changes.state(comparison.after, address) for address in created}
        needed = {address: group.reservation_id for address, group in starting.items() if group.counts[0] != "0"}
        for address in ended:
            held = changes.state(comparison.before, address).reservation_id
            takers = [taker for taker, reservation in needed.items() if reservation == held]
            if held is not None and takers:
                yield _taken(comparison, address, takers)


def _taken(comparison: Comparison, address: Address, takers: list[Address]) -> Violation:
    if address in comparison.replaced:
        what = f"would be replaced, because {why_replaced(comparison, address)}"
    else:
        what = f"would be removed, and {listed([name_in(comparison, taker) for taker in takers])} takes its place"
    return Violation(
        address,
        f"{name_in(comparison, address)} runs on reserved capacity and {what}; the new nodes start before the old ones "
        "end, and the capacity is taken",
        "take two steps: 1. deploy the edit with min: 0 in count of the group, which frees the capacity (the old nodes "
        "end); 2. write min again and deploy",
    )
