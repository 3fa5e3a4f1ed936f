"""Node groups and workstations in an Availability Zone without a subnet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.fitting_zones import zones_for_machines

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class ComputeZoneNotInNetwork(ConfigRule):
    """The zone of a node group or workstation is one of `network.availability_zones` (`availability_zone`).

    Without this check the group has no subnet, and synthesis fails.
    """

    id = "E3002"
    source = "the design of this toolkit: subnets exist in the zones of network.availability_zones only"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        zones = config.network.zone_ids
        for group in environment.compute_groups:
            zone_id = group.spec.availability_zone
            if zone_id is None or zone_id in zones or zone_id not in catalog.zone_ids(config.region):  # else rule E1001
                continue
            fitting = zones_for_machines(group.instance_type, config, catalog)
            yield Violation(
                (*group.path, "availability_zone"),
                f"availability_zone of {group.name} is {zone_id}, but {config.network.zones_key} has only "
                f"{listed(zones)}",
                f"{config.network.way_to_add(zone_id)}, or write {listed(fitting, 'or')}",
            )
