from __future__ import annotations

from neuron_cluster.config.capacity import Reservation, ReservationMatch
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class AmbiguousReservationTarget(Rule):
    """A targeted reservation has one target: its id or a resource group; an open one has none (`capacity`).

    Without this check EC2 returns InvalidParameterCombination for a target beside the preference open, and for two
    targets. Without any target the instances run On-Demand, and you also pay for the reservation.
    """

    id = "E3041"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityReservationSpecification.html"
    proposes = ("match", "reservation_id", "resource_group")
    references = ("gardener/machine-controller-manager-provider-aws#114", "hashicorp/terraform-provider-aws#43881")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            capacity, name = group.capacity, group.name
            if not isinstance(capacity, Reservation):
                continue
            named = [key for key in ("reservation_id", "resource_group") if getattr(capacity, key) is not None]
            path = (*group.path, "capacity")
            if capacity.match is ReservationMatch.OPEN and named:
                yield Violation(
                    (*path, named[0]),
                    f"match is open, which uses any matching open reservation, but {name} sets {listed(named)}",
                    f"remove {listed(named)}, or set match: targeted",
                )
            elif capacity.match is ReservationMatch.TARGETED and len(named) != 1:
                given = f"both {listed(named)}" if named else "neither reservation_id nor resource_group"
                yield Violation(
                    path if not named else (*path, named[1]),
                    f"{name} uses a targeted reservation, but sets {given}",
                    f"remove {listed(named, 'or')}"
                    if named
                    else "add reservation_id: cr-…, or set match: open to use any matching open reservation",
                )
