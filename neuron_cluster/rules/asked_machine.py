"""Everything in the file that asks for machines, for rules that do not mind what runs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.config.eks import NodeGroup
from neuron_cluster.rules.asked_node_group import asked_node_groups, block_of, reservation_id_of
from neuron_cluster.rules.asked_workstation import asked_workstations

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.capacity import CapacityBlock, UltraserverBlock
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.config.workstation import Workstation


class AskedMachine(Struct, frozen=True):
    """A node group or a workstation. ``instance_type`` is None when the catalog does not know it (rule E3001)."""

    path: KeyPath
    wish: NodeGroup | Workstation
    instance_type: InstanceType | None
    zone_ids: tuple[str, ...]
    """Zones in which it may start."""

    @property
    def is_neuron(self) -> bool:
        return self.instance_type is not None and self.instance_type.chip is not None

    @property
    def is_workstation(self) -> bool:
        return self.path[0] == "workstations"

    @property
    def reservation_id(self) -> str | None:
        """The reservation or capacity block that it names; None where it names a resource group or nothing."""
        return reservation_id_of(self.wish.capacity)

    @property
    def block(self) -> CapacityBlock | UltraserverBlock | None:
        """The capacity block that it runs in, if any."""
        return block_of(self.wish.capacity)

    @property
    def desired(self) -> int:
        """How many machines start now."""
        return self.wish.count.desired if isinstance(self.wish, NodeGroup) else 1

    @property
    def most(self) -> int:
        """How many there may be."""
        return self.wish.count.max if isinstance(self.wish, NodeGroup) else 1


def asked_machines(config: EnvironmentConfig, catalog: Catalog) -> Iterator[AskedMachine]:
    """Node groups first, then workstations, each in the order of the file."""
    for group in asked_node_groups(config, catalog):
        yield AskedMachine(group.path, group.group, group.instance_type, group.zone_ids)
    for asked in asked_workstations(config, catalog):
        yield AskedMachine(asked.path, asked.workstation, asked.instance_type, (asked.zone_id,))
