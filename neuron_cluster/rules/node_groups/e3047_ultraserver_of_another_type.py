"""UltraServers of other machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class UltraserverOfAnotherType(ConfigRule):
    """The UltraServer type of a block is the one that the group's instance type is a part of.

    Silent where the catalog does not know under which name the UltraServer is sold.

    Without it: the block holds machines of another type, EC2 refuses every launch with ReservationCapacityExceeded,
    and EKS reports the node group as CREATE_FAILED.
    """

    id = "E3047"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityBlockOfferings.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for asked in asked_node_groups(config, catalog):
            capacity, row = asked.group.capacity, asked.instance_type
            sold_as = row.ultraserver.capacity_type if row is not None and row.ultraserver is not None else None
            if isinstance(capacity, UltraserverBlock) and sold_as is not None and capacity.ultraserver != sold_as:
                yield Problem(
                    (*asked.path, "capacity", "ultraserver"),
                    f"ultraserver is {capacity.ultraserver}, but {asked.group.instance_type} is a part of {sold_as}",
                    f"write ultraserver: {sold_as}, or take the instance type that {capacity.ultraserver} is made of",
                )
