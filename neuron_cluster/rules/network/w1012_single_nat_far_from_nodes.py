"""A way out that lies in another zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class SingleNatFarFromNodes(ConfigRule):
    """A single NAT gateway stands in a zone in which every Neuron node group can run.

    It stands in the first zone of the network. Neuron images have 20 GB and more, and every node pulls its own.

    Without this check AWS reports no error. Each pull from a public registry crosses zones and is billed for it, and
    when the first zone is lost, nodes in a healthy one can pull nothing.
    """

    id = "W1012"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-basics.html"
    proposes = ("availability_zone", "nat")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        zones = config.network.availability_zones
        if config.network.nat is not Nat.SINGLE:
            return
        for group in environment.cluster_groups:
            is_far = zones[0] not in group.zone_ids and set(group.zone_ids) <= set(zones)  # else rule E3002
            if group.is_neuron and is_far:
                yield Violation(
                    (*group.path, "availability_zone"),
                    f"{group.name} runs in {listed(group.zone_ids)}, but the single NAT gateway stands in {zones[0]}",
                    f"set network.nat: per_zone, or availability_zone: {zones[0]} if the type is offered there",
                )
