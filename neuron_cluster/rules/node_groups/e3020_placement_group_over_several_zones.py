"""Placement groups between buildings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.machine import Placement
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class PlacementGroupOverSeveralZones(ConfigRule):
    """A node group with a cluster placement group runs in one zone, which it names.

    Without it: the first node decides the zone, and EC2 refuses the nodes of the others with
    InvalidPlacementGroup.InUse or InsufficientInstanceCapacity; the group never reaches its size.
    """

    id = "E3020"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html#placement-groups-cluster"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        for asked in asked_node_groups(config, catalog):
            wants_group = asked.group.placement is Placement.CLUSTER
            if not wants_group or asked.has_efa or asked.is_reserved or len(asked.zone_ids) == 1:
                continue  # rules E3005, E3006 and E3013 say more
            yield Violation(
                (*asked.path, "placement"),
                f"placement is cluster, but {asked.group.name} may run in {listed(asked.zone_ids)}, and a cluster "
                "placement group lies in one zone",
                f"add availability_zone: {listed(asked.zone_ids, 'or')}, or remove placement",
            )
