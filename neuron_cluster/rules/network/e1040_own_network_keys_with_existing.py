"""Keys of a created VPC beside `existing`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

OF_OWN_NETWORK = ("cidr", "availability_zones", "nat", "secondary_cidrs")


class OwnNetworkKeysWithExisting(ConfigRule):
    """With a VPC that exists, no key describes one that is created (`network.existing`).

    The address ranges, zones, gateways and routes of an existing VPC are those that it has; a deploy changes none.

    Without this check the keys have no effect: a file with `nat: single` would get no NAT gateway.
    """

    id = "E1040"
    source = "the design of this toolkit: nothing of an existing VPC is created or changed"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        network = environment.config.network
        if network.existing is None:
            return
        for key in OF_OWN_NETWORK:
            if key in network.model_fields_set:
                yield Violation(
                    ("network", key),
                    f"network has existing and {key}; {key} describes a VPC that the environment creates",
                    f"remove {key}, or remove existing to create a VPC",
                )
