"""Reservations that are not in every zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class ReservationsOverSeveralZones(ConfigRule):
    """A group that runs in open reservations, or in those of a resource group, names the zone in which they lie.

    Only a warning: there may be a reservation in each zone, which the file does not say.

    Without it: AWS answers late. The group's nodes are spread over all zones. Where no reservation lies, those of a
    resource group are refused, and the others run on demand while a reservation that you pay for stands idle.
    """

    id = "W3051"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-groups-launch.html"
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            if asked.is_reserved and asked.reservation_id is None and len(asked.zone_ids) > 1:
                yield Violation(
                    (*asked.path, "availability_zone"),
                    f"nodes of {asked.group.name} start in {listed(asked.zone_ids)}; a reservation lies in one zone",
                    "add the availability_zone of the reservations, unless there is one in each: "
                    "`aws ec2 describe-capacity-reservations` shows their AvailabilityZoneId",
                )
