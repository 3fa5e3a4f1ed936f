"""The same availability zone twice in one network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ZoneListedTwice(ConfigRule):
    """Each availability zone of the network is listed once.

    The position of a zone decides its addresses, and a zone has one private and one public subnet.

    Without this check AWS reports no error, and two subnets in one zone pass for two zones. Where there is no other
    zone, EKS rejects the cluster with InvalidParameterException, "Subnets specified must be in at least two different
    AZs".
    """

    id = "E1002"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        zones = config.network.availability_zones
        for position, zone_id in enumerate(zones):
            first = zones.index(zone_id)
            if first < position:
                yield Violation(
                    ("network", "availability_zones", position),
                    f"{zone_id} stands in the list twice, at positions {first + 1} and {position + 1}",
                    "keep the first one, and name another zone if you need one more",
                )
