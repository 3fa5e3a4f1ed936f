from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ReservationWithoutZone(Rule):
    """A node group or workstation in a reservation or capacity block sets its zone (`availability_zone`).

    (For resource groups and open reservations, which may have a reservation in each zone, see rule W3051.)

    Without this check EC2 starts nodes in every zone. In the wrong zone it rejects them with
    ReservationCapacityExceeded or InsufficientInstanceCapacity, and the reserved instances that you pay for stay idle.
    """

    id = "E3013"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("availability_zone", "capacity")
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            if group.reservation_id is not None and len(group.zone_ids) > 1:
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.name} runs in {group.capacity_display_name}, which is in one zone, but availability_zone "
                    "is not set",
                    f"add the availability_zone of {group.reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
        several = len(set(context.environment.config.network.zone_ids)) > 1
        for machine in context.environment.workstations:
            reservation_id, has_zone = machine.reservation_id, machine.spec.availability_zone is not None
            if several and reservation_id is not None and not has_zone and machine.home is None:
                yield Violation(
                    (*machine.path, "availability_zone"),
                    f"{machine.name} runs in {machine.capacity_display_name}, which is in one zone, but "
                    "availability_zone is not set",
                    f"add the availability_zone of {reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
