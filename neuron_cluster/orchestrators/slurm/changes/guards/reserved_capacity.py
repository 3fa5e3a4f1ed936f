"""CloudFormation creates the new group before it deletes the old one: reserved capacity is too small for both."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.orchestrators.slurm.changes.resource_kinds import COMPUTE_NODE_GROUP
from neuron_cluster.orchestrators.slurm.changes.source import SlurmChanges


class SlurmReservedCapacityTaken(Guard):
    """A compute node group on reserved capacity is not replaced in one step (`capacity`).

    The new group starts its nodes before the old one is deleted, and the reservation or block has no free instance.
    """

    id = "E9065"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-reservations.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        changes = SlurmChanges()
        for address in sorted(comparison.replaced):
            if comparison.type_of(address) != COMPUTE_NODE_GROUP:
                continue
            before, after = changes.state(comparison.before, address), changes.state(comparison.after, address)
            if before.reservation_id is None or before.reservation_id != after.reservation_id:
                continue
            yield Violation(
                address,
                f"{name_in(comparison, address)} runs on reserved capacity and would be replaced, because "
                f"{why_replaced(comparison, address)}; the new nodes start before the old ones end, and the capacity "
                "is taken",
                "take two steps: 1. take the group out of groups and queues and deploy, which frees the capacity (its "
                "nodes end); 2. put the edited group back and deploy",
            )
