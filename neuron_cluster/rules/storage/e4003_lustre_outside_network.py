"""A file system in a zone where the network is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.fitting_zones import zones_for_lustre

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class LustreOutsideNetwork(ConfigRule):
    """The zone of the Lustre file system is one of the network's zones.

    Without this check AWS receives no request: there is no subnet for the file system to stand in.
    """

    id = "E4003"
    source = "the design of this toolkit: subnets exist in the zones of network.availability_zones only"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        zones = config.network.availability_zones
        if lustre is None or lustre.availability_zone in zones:
            return
        if lustre.availability_zone in catalog.zone_ids(config.region):  # else rule E1001
            fitting = zones_for_lustre(environment, catalog)
            yield Violation(
                ("storage", "lustre", "availability_zone"),
                f"Lustre is to stand in {lustre.availability_zone}, but the network has {listed(zones)} only",
                f"append {lustre.availability_zone} to network.availability_zones, or write {listed(fitting, 'or')}",
            )
