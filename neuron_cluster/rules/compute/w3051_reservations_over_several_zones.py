"""Reservations that are not in every zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ReservationsOverSeveralZones(ConfigRule):
    """A group that runs in open reservations, or in those of a resource group, names the zone in which they lie.

    Only a warning: there may be a reservation in each zone, which the file does not say.

    Without this check AWS reports the error late. The group's nodes are spread over all zones. Where no reservation
    lies, those of a resource group are rejected, and the others run on demand while a reservation that you pay for
    stands idle.
    """

    id = "W3051"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/cr-groups-launch.html"
    proposes = ("availability_zone", "capacity")
    references = ("aws/aws-parallelcluster#1216",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for node_group in environment.cluster_groups:
            if node_group.is_reserved and node_group.reservation_id is None and len(node_group.zone_ids) > 1:
                yield Violation(
                    (*node_group.path, "availability_zone"),
                    f"nodes of {node_group.name} start in {listed(node_group.zone_ids)}; a reservation lies in one "
                    "zone",
                    "add the availability_zone of the reservations, unless there is one in each: "
                    "`aws ec2 describe-capacity-reservations` shows their AvailabilityZoneId",
                )
