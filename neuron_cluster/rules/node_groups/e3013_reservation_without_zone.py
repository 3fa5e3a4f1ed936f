"""Capacity that lies in one zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import CAPACITY_DISPLAY_NAMES, asked_node_groups, reservation_id_of
from neuron_cluster.rules.asked_workstation import asked_workstations
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class ReservationWithoutZone(ConfigRule):
    """A node group or workstation in a reservation or capacity block names the zone that the capacity lies in.

    (For resource groups and open reservations, of which there may be one in each zone, see rule W3051.)

    Without it: the group's nodes are tried in every zone. In the wrong one EC2 refuses them with
    ReservationCapacityExceeded or InsufficientInstanceCapacity, and machines that you pay for stand idle.
    """

    id = "E3013"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html"
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            if asked.reservation_id is not None and len(asked.zone_ids) > 1:
                yield Violation(
                    (*asked.path, "availability_zone"),
                    f"{asked.group.name} runs in {asked.capacity_in_words}, which lies in one zone, but names none",
                    f"add the availability_zone of {asked.reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
        several = len(set(config.network.availability_zones)) > 1
        for box in asked_workstations(config, catalog):
            wish, reservation_id = box.workstation, reservation_id_of(box.workstation.capacity)
            runs_in = CAPACITY_DISPLAY_NAMES[wish.capacity.kind]
            if several and reservation_id is not None and wish.availability_zone is None and box.home is None:
                yield Violation(
                    (*box.path, "availability_zone"),
                    f"{wish.name} runs in {runs_in}, which lies in one zone, but names none",
                    f"add the availability_zone of {reservation_id}: "
                    "`aws ec2 describe-capacity-reservations` shows its AvailabilityZoneId",
                )
