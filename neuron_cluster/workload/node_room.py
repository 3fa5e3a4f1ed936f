"""What a node has left for a workload, after the DaemonSets of the cluster's software."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from neuron_cluster.kubernetes_names import NEURON
from neuron_cluster.schedule.fit import why_not
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.room import with_drivers

GIB = 1024**3
MILLICORES = 1000


class NodeRoom(Struct, frozen=True):
    """``left`` in the units of ``NodeShape.allocatable``; a resource that nobody knows is absent."""

    node: NodeShape
    left: Mapping[str, int]
    taken_by: tuple[str, ...]
    """The DaemonSets that run there."""

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
        return self.left.get(resource, 0)

    def _whole(self, resource: str, unit: int) -> int | None:
        amount = self.left.get(resource)
        return None if amount is None else max(amount // unit, 0)


def node_room(node: NodeShape, software: Iterable[PodShape]) -> NodeRoom:
    """The room on a node of this group that runs nothing but its DaemonSets."""
    daemons = [pod for pod in software if pod.kind == "DaemonSet" and not why_not(pod, node)]
    left = {
        resource: amount - sum(pod.requests.get(resource, 0) for pod in daemons)
        for resource, amount in node.allocatable.items()
    }
    return NodeRoom(with_drivers(node, daemons), left, tuple(pod.workload for pod in daemons))
