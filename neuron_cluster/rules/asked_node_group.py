"""A node group as the file asks for it, with what its absent keys default to: what rules of stage 1 look at.

The plan decides the same defaults for good; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.capacity import CapacityBlock, Reservation, UltraserverBlock
from neuron_cluster.config.machine import EfaLayout, Placement

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.capacity import Capacity
    from neuron_cluster.config.eks import NodeGroup
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath

CAPACITY_DISPLAY_NAMES = {
    "on_demand": "on-demand capacity",
    "spot": "spot capacity",
    "reservation": "a reservation",
    "capacity_block": "a capacity block",
    "ultraserver_block": "a block of UltraServers",
}


class AskedNodeGroup(Struct, frozen=True):
    """One node group of the file. ``instance_type`` is None when the catalog does not know it (rule E3001)."""

    path: KeyPath
    group: NodeGroup
    instance_type: InstanceType | None
    zone_ids: tuple[str, ...]
    """Zones in which its nodes may start."""

    @property
    def is_neuron(self) -> bool:
        return self.instance_type is not None and self.instance_type.chip is not None

    @property
    def has_efa(self) -> bool:
        """Whether its nodes get EFA interfaces: asked for, or by default where the type has them."""
        if self.instance_type is None or not self.instance_type.efa_interfaces:
            return False
        return self.group.efa is not EfaLayout.OFF

    @property
    def efa_layout(self) -> str | None:
        """The layout of its EFA interfaces, as the file names it; None where its nodes get none."""
        return (self.group.efa or EfaLayout.EFA).value if self.has_efa else None

    @property
    def is_reserved(self) -> bool:
        """Whether it runs in capacity that is already somewhere: a reservation or a capacity block."""
        return isinstance(self.group.capacity, (Reservation, CapacityBlock, UltraserverBlock))

    @property
    def capacity_in_words(self) -> str:
        """What it runs in, to be read after ``runs in``."""
        return CAPACITY_DISPLAY_NAMES[self.group.capacity.kind]

    @property
    def reservation_id(self) -> str | None:
        """The reservation or capacity block that it names; None where it names a resource group or nothing."""
        return reservation_id_of(self.group.capacity)

    @property
    def block(self) -> CapacityBlock | UltraserverBlock | None:
        """The capacity block that it runs in, if any."""
        return block_of(self.group.capacity)

    @property
    def in_placement_group(self) -> bool:
        """Whether its nodes are packed together: asked for, or by default with EFA where nothing is reserved."""
        if self.group.placement is None:
            return self.has_efa and not self.is_reserved
        return self.group.placement is Placement.CLUSTER

    @property
    def logical_nc_config(self) -> int | None:
        """LNC as asked for, else the type's own; None where the chip has no choice."""
        default = self.instance_type.default_logical_nc_config if self.instance_type is not None else None
        return self.group.logical_nc_config or default

    @property
    def has_node_repair(self) -> bool:
        return self.is_neuron if self.group.node_repair is None else self.group.node_repair


def reservation_id_of(capacity: Capacity) -> str | None:
    """The reservation or capacity block that is named."""
    if isinstance(capacity, (Reservation, CapacityBlock, UltraserverBlock)):
        return capacity.reservation_id
    return None


def block_of(capacity: Capacity) -> CapacityBlock | UltraserverBlock | None:
    """The capacity block, if it is one."""
    return capacity if isinstance(capacity, (CapacityBlock, UltraserverBlock)) else None


def asked_node_groups(config: EnvironmentConfig, catalog: Catalog) -> Iterator[AskedNodeGroup]:
    """The node groups in the order of the file; none without an ``eks`` section."""
    for position, group in enumerate(config.eks.node_groups if config.eks is not None else ()):
        zones = [group.availability_zone] if group.availability_zone else config.network.availability_zones
        yield AskedNodeGroup(
            path=("eks", "node_groups", position),
            group=group,
            instance_type=catalog.instance_type(group.instance_type),
            zone_ids=tuple(dict.fromkeys(zones)),
        )


def are_zones_clear(asked: AskedNodeGroup, config: EnvironmentConfig, catalog: Catalog) -> bool:
    """Whether each zone of the group is one of the Region's and of the network's; else rules E1001 and E3002 speak."""
    known = catalog.zone_ids(config.region)
    return all(zone_id in known and zone_id in config.network.availability_zones for zone_id in asked.zone_ids)
