from __future__ import annotations

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.compute.e3024_reservation_attributes_differ import differences
from neuron_cluster.rules.compute.e3075_reservation_of_two_orchestrators import are_of_two_providers


class ReservationSharedByGroups(Rule):
    """A reservation is used by only one node group or workstation (`capacity.reservation_id`).

    Only a warning: two groups can share a reservation if the sum of their sizes fits, which the file does not say. For
    groups of two orchestrators see rule E3075.

    Without this check AWS reports the error late. The groups compete for instances: the nodes of the second group that
    exceed the reservation fail with ReservationCapacityExceeded, and so does every replacement.
    """

    id = "W3025"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-using.html"

    def check(self, context: RuleContext) -> Violations:
        seen: dict[str, list[ComputeGroup]] = {}
        for group in context.environment.compute_groups:
            if group.reservation_id is None or isinstance(group.capacity, UltraserverBlock):  # rule E3048
                continue
            before = seen.setdefault(group.reservation_id, [])
            other = next((each for each in before if not are_of_two_providers(each, group)), None)  # rule E3075
            before.append(group)
            if other is not None and not any(differences(other, group)):  # rule E3024
                counts = [each.scaling.maximum for each in (group, other)]
                number = f"up to {sum(filter(None, counts))}" if all(counts) else "any number"
                way = "use a reservation for each" if group.is_workstation else "combine both into one group"
                yield Violation(
                    (*group.path, "capacity", "reservation_id"),
                    f"{other.name} and {group.name} share {group.reservation_id}; together they request "
                    f"{number} of its instances",
                    f"{way}, or limit the sum of both max to the size of the reservation",
                )
