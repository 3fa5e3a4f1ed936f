"""Node groups that want subnets which the network does not have."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.config.eks import NodeSubnets
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.free_range import free_range

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class GroupWithoutSecondarySubnet(ConfigRule):
    """A node group with `subnets: secondary` has a secondary CIDR in each of its zones.

    Without it: AWS is never asked: the group has no subnet to be in.
    """

    id = "E1033"
    source = "the design of this toolkit"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Violation]:
        network = config.network
        there = {each.availability_zone for each in network.secondary_cidrs}
        used = [IPv4Network(network.cidr), *(IPv4Network(each.cidr) for each in network.secondary_cidrs)]
        for asked in asked_node_groups(config, catalog):
            missing = next((zone for zone in asked.zone_ids if zone not in there), None)
            if asked.group.subnets is NodeSubnets.SECONDARY and missing is not None:
                yield Violation(
                    (*asked.path, "subnets"),
                    f"{asked.group.name} is in subnets of secondary CIDRs, and {missing} has none",
                    f"add {{cidr: {free_range(used, catalog)}, availability_zone: {missing}}} to "
                    "network.secondary_cidrs, or set subnets: primary",
                )
