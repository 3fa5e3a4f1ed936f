from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExistingSubnetListedTwice(Rule):
    """Each existing subnet is listed once, at most one of a kind in a zone (`network.existing`).

    A node group, file system or workstation names a zone, and its subnet is the private one of that zone.

    Without this check AWS reports no error, and the second subnet of a zone has no effect.
    """

    id = "E1041"
    source = "the design of this toolkit: each zone has one private subnet"

    def check(self, context: RuleContext) -> Violations:
        existing = context.environment.config.network.existing
        ids, places = dict[str, int](), dict[tuple[str, str], str]()
        for position, subnet in enumerate(existing.subnets if existing is not None else ()):
            path = ("network", "existing", "subnets", position)
            place = (subnet.availability_zone, subnet.kind.value)
            if subnet.id in ids:
                first = ids[subnet.id] + 1
                yield Violation(
                    (*path, "id"),
                    f"{subnet.id} is listed twice, at positions {first} and {position + 1}",
                    f"remove the entry {position + 1}",
                )
            elif place in places:
                yield Violation(
                    (*path, "id"),
                    f"{subnet.id} is a second {subnet.kind} subnet of {subnet.availability_zone}, beside "
                    f"{places[place]}",
                    f"remove the entry {position + 1}, or correct its availability_zone or kind",
                )
            ids.setdefault(subnet.id, position)
            places.setdefault(place, subnet.id)
