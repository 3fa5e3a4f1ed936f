"""What a node keeps for itself and offers to pods, by image, and the labels that it gets without being asked."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

MIB = 1024**2
HUGE_PAGE_BYTES = 2 * MIB
WHOLE = 10_000

PlanFact = Literal["instance_type", "node_group", "capacity_type", "region", "zone_id"]
"""What the plan of a node group says about all its nodes."""


class CpuShare(Struct, frozen=True, kw_only=True):
    """Of the millicores above this one, up to the next share's, so many of ten thousand are kept."""

    above: int
    per_ten_thousand: int


class NodeAllocatable(SourcedRow, frozen=True, kw_only=True):
    """One family of images. ``memory_kept`` is what the kernel never hands to the kubelet.

    ``eviction`` is what must stay free: the kubelet does not offer it either. Huge pages are of 2 MiB each.
    """

    ami_types: tuple[str, ...]
    cpu_reserved: tuple[CpuShare, ...]
    memory_kept_per_ten_thousand: int
    memory_reserved_mib: int
    memory_reserved_mib_per_pod: int
    memory_eviction_mib: int
    storage_reserved_gib: int
    storage_eviction_percent: int
    huge_pages_with_efa: int
    labels: FrozenMap[str, str]
    labels_of_plan: FrozenMap[str, PlanFact]
    labels_not_known: FrozenMap[str, str]

    def millicores(self, vcpus: int) -> int:
        """What is left of this many vCPUs, rounded as nodeadm rounds: down, in every share."""
        whole = vcpus * 1000
        ends = [*(share.above for share in self.cpu_reserved[1:]), whole]
        kept = (
            max(0, min(whole, end) - share.above) * share.per_ten_thousand // WHOLE
            for share, end in zip(self.cpu_reserved, ends, strict=True)
        )
        return whole - sum(kept)

    def memory_bytes(self, memory_gib: int, max_pods: int, huge_pages: int) -> int:
        """What is left of this much memory. ``max_pods`` is the number that nodeadm works out for the type itself,
        whatever the kubelet is then told."""
        kept = memory_gib * 1024 * MIB * self.memory_kept_per_ten_thousand // WHOLE
        return self.most_memory_bytes(memory_gib, max_pods) - kept - huge_pages * HUGE_PAGE_BYTES

    def most_memory_bytes(self, memory_gib: int, max_pods: int) -> int:
        """The same if the kernel kept nothing and there were no huge pages: a node never offers more."""
        reserved = self.memory_reserved_mib + self.memory_reserved_mib_per_pod * max_pods + self.memory_eviction_mib
        return (memory_gib * 1024 - reserved) * MIB

    def storage_bytes(self, file_system_bytes: int) -> int:
        """What is left of the file system that holds the kubelet's directory."""
        evicted = file_system_bytes * self.storage_eviction_percent // 100
        return file_system_bytes - evicted - self.storage_reserved_gib * 1024 * MIB

    def contradictions(self) -> Iterator[tuple[str, str]]:
        starts = [share.above for share in self.cpu_reserved]
        if starts != sorted(set(starts)):
            yield "cpu_reserved", "the shares must rise"


@functools.cache
def node_allocatables() -> FrozenMap[str, NodeAllocatable]:
    """All by name."""
    return read_rows(DATA_DIRECTORY / "node_allocatable.yaml", NodeAllocatable)


def node_allocatable(ami_type: str) -> NodeAllocatable | None:
    """Of the nodes with an image of this AMI type; None where nothing is recorded."""
    return next((row for row in node_allocatables().values() if ami_type in row.ami_types), None)
