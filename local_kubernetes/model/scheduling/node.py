"""One node as the scheduler sees it (kube-scheduler's NodeInfo): labels, taints, allocatable resources."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from local_kubernetes.model.names import NEURON
from local_kubernetes.model.placement import Taint
from local_kubernetes.model.quantity import GIB

MILLICORES = 1000


class NodeInfo(Struct, frozen=True):
    """A node of a node group; ``free_allocatable`` subtracts what DaemonSets request there.

    ``allocatable``: ``cpu`` in millicores; ``memory``, ``ephemeral-storage`` and ``hugepages-2Mi`` in bytes; the rest
    as numbers. ``doubts`` maps what is not known, or not for certain, to the reason: resources, and keys of labels.
    """

    group: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    allocatable: Mapping[str, int]
    doubts: Mapping[str, str]
    upper_bounds: Mapping[str, int] = {}
    """Upper bounds of amounts that are not certain."""
    desired_size: int = 1
    max_size: int | None = 1
    """Nodes of the group; None: it has no maximum."""
    scales_on_demand: bool = False
    """Whether nodes are created for pods that are Pending."""
    neuron_devices: int | None = None
    """Neuron devices of the instance, with a device plugin or without; None: no source states how many."""
    has_efa: bool = False
    is_ultraserver: bool = False
    """Whether the instance is a part of an UltraServer."""
    claimable: Mapping[str, int | None] = {}
    """Devices that DRA drivers publish there, by device class: known after ``free_allocatable``."""
    daemon_sets: tuple[str, ...] = ()
    """The DaemonSets whose requests are subtracted from ``allocatable``."""

    @property
    def is_neuron(self) -> bool:
        return self.neuron_devices != 0

    @property
    def whole_cpus(self) -> int | None:
        """None, as below: no source states how much."""
        return self._whole("cpu", MILLICORES)

    @property
    def memory_gib(self) -> int | None:
        return self._whole("memory", GIB)

    @property
    def storage_gib(self) -> int | None:
        """GiB of ephemeral storage."""
        return self._whole("ephemeral-storage", GIB)

    @property
    def free_neuron_devices(self) -> int:
        """Neuron devices that pods can request from a device plugin, or claim."""
        return self.count_of(NEURON) or next(iter(self.claimable.values()), None) or 0

    def count_of(self, resource: str) -> int:
        """Devices of an extended resource; 0 where the node has none."""
        return self.allocatable.get(resource, 0)

    def _whole(self, resource: str, unit: int) -> int | None:
        amount = self.allocatable.get(resource)
        return None if amount is None else max(amount // unit, 0)
