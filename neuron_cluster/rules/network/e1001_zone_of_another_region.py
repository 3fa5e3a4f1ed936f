"""Availability zone ids that the Region does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.near_names import did_you_mean, near_names
from neuron_cluster.rules.base import ConfigRule, Problem
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath


class ZoneOfAnotherRegion(ConfigRule):
    """Every availability zone is a zone id of the environment's Region.

    Zone ids (``usw2-az4``) mean the same place in every account; names (``us-west-2a``) do not and are not taken.

    Without it: EC2 refuses the subnet with InvalidParameterValue, "Value (usw2-az99) for parameter
    availabilityZoneId is invalid", after the VPC has been made, and the network stack rolls back.
    """

    id = "E1001"
    source = "https://docs.aws.amazon.com/ram/latest/userguide/working-with-az-ids.html"
    threads = ("awslabs/data-on-eks#421",)

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        known = catalog.zone_ids(config.region)
        if not known:  # rule E6001 says that the Region is unknown
            return
        for path, zone_id in _zones_in(config):
            if zone_id in known:
                continue
            home = catalog.region_of_zone_id(zone_id)
            elsewhere = f" (it belongs to {home})" if home else ""
            yield Problem(
                path,
                f"{zone_id} is not a zone of {config.region}{elsewhere}; its zones are {listed(known)}",
                f"{did_you_mean(near_names(zone_id, known))}write one of the zone ids of the Region",
            )


def _zones_in(config: EnvironmentConfig) -> Iterator[tuple[KeyPath, str]]:
    for position, zone_id in enumerate(config.network.availability_zones):
        yield ("network", "availability_zones", position), zone_id
    if config.storage is not None and config.storage.lustre is not None:
        yield ("storage", "lustre", "availability_zone"), config.storage.lustre.availability_zone
    for position, home in enumerate(config.storage.homes if config.storage is not None else ()):
        yield ("storage", "homes", position, "availability_zone"), home.availability_zone
    for position, workstation in enumerate(config.workstations):
        if workstation.availability_zone is not None:
            yield ("workstations", position, "availability_zone"), workstation.availability_zone
    for position, group in enumerate(config.eks.node_groups if config.eks is not None else ()):
        if group.availability_zone is not None:
            yield ("eks", "node_groups", position, "availability_zone"), group.availability_zone
