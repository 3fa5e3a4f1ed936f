"""Reservation without its Availability Zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ReservationWithoutZone(ConfigRule):
    """A node group or workstation in a reservation or capacity block sets its zone (`availability_zone`).

    (For resource groups and open reservations, which may have a reservation in each zone, see rule W3051.)

    Without this check EC2 starts nodes in every zone. In the wrong zone it rejects them with
    ReservationCapacityExceeded or InsufficientInstanceCapacity, and the reserved instances that you pay for stay idle.
    """

    id = "E3013"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    proposes = ("availability_zone", "capacity")
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.cluster_groups:
            if group.reservation_id is not None and len(group.zone_ids) > 1:
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.name} runs in {group.capacity_display_name}, which is in one zone, but availability_zone "
                    "is not set",
                    f"add the availability_zone of {group.reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
        several = len(set(environment.config.network.zone_ids)) > 1
        for machine in environment.workstations:
            reservation_id, has_zone = machine.reservation_id, machine.spec.availability_zone is not None
            if several and reservation_id is not None and not has_zone and machine.home is None:
                yield Violation(
                    (*machine.path, "availability_zone"),
                    f"{machine.name} runs in {machine.capacity_display_name}, which is in one zone, but "
                    "availability_zone is not set",
                    f"add the availability_zone of {reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
