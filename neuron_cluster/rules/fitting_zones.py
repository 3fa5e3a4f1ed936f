"""Availability Zones for hints: each leads to no other finding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def zones_of_network(config: EnvironmentConfig, catalog: Catalog) -> list[str]:
    """The network's zones that the Region has, each once; all of the Region's where none is valid."""
    known = catalog.regions.zone_ids(config.region)
    valid = [zone_id for zone_id in dict.fromkeys(config.network.zone_ids) if zone_id in known]
    return valid or list(known)


def zones_for_machines(
    instance_type: InstanceType | None, config: EnvironmentConfig, catalog: Catalog, *, among: Iterable[str] = ()
) -> list[str]:
    """Zones of the network that offer an instance type; for Neuron types the zone of Lustre.

    ``among`` are the zones to choose from; empty: those of the network.
    """
    zones = list(among) or zones_of_network(config, catalog)
    if instance_type is None:
        return zones
    offered = instance_type.offered_zone_ids(config.region)
    zones = [zone_id for zone_id in zones if zone_id in offered] or zones
    lustre = config.storage.lustre if config.storage is not None else None
    if instance_type.chip is not None and lustre is not None and lustre.availability_zone in zones:
        return [lustre.availability_zone]
    return zones


def zones_for_lustre(environment: ResolvedEnvironment, catalog: Catalog) -> list[str]:
    """Zones of the network for the file system: those of the Neuron groups."""
    config = environment.config
    zones = zones_of_network(config, catalog)
    near = {zone_id for group in environment.cluster_groups if group.is_neuron for zone_id in group.zone_ids}
    return [zone_id for zone_id in zones if zone_id in near] or zones
