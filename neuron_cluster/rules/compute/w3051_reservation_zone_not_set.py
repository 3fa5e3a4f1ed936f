from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReservationZoneNotSet(Rule):
    """A node group with open reservations or a resource group sets their zone (`availability_zone`).

    Only a warning: there may be a reservation in each zone, which the file does not say.

    Without this check AWS reports the error late. Nodes start in all zones. In zones without a reservation EC2 rejects
    nodes that target a resource group, and other nodes run On-Demand while the reservation that you pay for stays
    idle.
    """

    id = "W3051"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-groups-launch.html"
    proposes = ("availability_zone", "capacity")
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            if group.is_reserved and group.reservation_id is None and len(group.zone_ids) > 1:
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.machine_noun}s of {group.name} start in {listed(group.zone_ids)}, but a "
                    "reservation is in one zone",
                    "add the availability_zone of the reservations, unless there is one in each: "
                    "`aws ec2 describe-capacity-reservations` returns their AvailabilityZoneId",
                )
