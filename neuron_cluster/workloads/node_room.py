"""The free allocatable of a node, in the units that charts take: computed by ``schedule.room``, and only there."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.kubernetes.quantity import GIB
from neuron_cluster.schedule.node_shape import NodeShape

MILLICORES = 1000


class NodeRoom(Struct, frozen=True):
    """``node`` is one of ``after_daemons``. A resource that no source knows is absent."""

    node: NodeShape

    @property
    def cores(self) -> int | None:
        """Whole processors."""
        return self._whole("cpu", MILLICORES)

    @property
    def memory_gib(self) -> int | None:
        return self._whole("memory", GIB)

    @property
    def disk_gib(self) -> int | None:
        return self._whole("ephemeral-storage", GIB)

    @property
    def chips(self) -> int:
        """Neuron devices that pods can ask a device plugin for, or claim."""
        return self.of(NEURON) or next(iter(self.node.claimable.values()), None) or 0

    def of(self, resource: str) -> int:
        """Devices of an extended resource; 0 where the node has none."""
        return self.node.allocatable.get(resource, 0)

    def _whole(self, resource: str, unit: int) -> int | None:
        amount = self.node.allocatable.get(resource)
        return None if amount is None else max(amount // unit, 0)
