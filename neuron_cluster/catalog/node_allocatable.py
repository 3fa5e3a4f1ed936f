"""Reserved and allocatable resources of a node by image, and its default labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table

MIB = 1024**2
HUGE_PAGE_BYTES = 2 * MIB
WHOLE = 10_000

PlanFact = Literal["instance_type", "node_group", "capacity_type", "region", "zone_id"]
"""The values of a node group that its nodes have in common."""


class CpuShare(Struct, frozen=True, kw_only=True):
    """The reserved part, of ten thousand, of the millicores from ``above`` up to the next share."""

    above: int
    per_ten_thousand: int


class NodeAllocatable(SourcedRow, frozen=True, kw_only=True):
    """One family of images. ``memory_kept`` is memory that the kernel does not report to the kubelet.

    ``eviction`` is the eviction threshold, which is not allocatable. Huge pages have 2 MiB each.
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
        """The allocatable millicores of this many vCPUs, rounded down in every share, as nodeadm does."""
        whole = vcpus * 1000
        ends = [*(share.above for share in self.cpu_reserved[1:]), whole]
        reserved = (
            max(0, min(whole, end) - share.above) * share.per_ten_thousand // WHOLE
            for share, end in zip(self.cpu_reserved, ends, strict=True)
        )
        return whole - sum(reserved)

    def memory_bytes(self, memory_gib: int, max_pods: int, huge_pages: int) -> int:
        """The allocatable bytes of this much memory. ``max_pods`` is the number that nodeadm computes for the type,
        not the one that the kubelet is configured with."""
        reserved = memory_gib * 1024 * MIB * self.memory_kept_per_ten_thousand // WHOLE
        return self.max_memory_bytes(memory_gib, max_pods) - reserved - huge_pages * HUGE_PAGE_BYTES

    def max_memory_bytes(self, memory_gib: int, max_pods: int) -> int:
        """The same without memory of the kernel and without huge pages: the upper bound."""
        reserved = self.memory_reserved_mib + self.memory_reserved_mib_per_pod * max_pods + self.memory_eviction_mib
        return (memory_gib * 1024 - reserved) * MIB

    def storage_bytes(self, file_system_bytes: int) -> int:
        """The allocatable bytes of the file system with the kubelet's directory."""
        evicted = file_system_bytes * self.storage_eviction_percent // 100
        return file_system_bytes - evicted - self.storage_reserved_gib * 1024 * MIB

    def contradictions(self) -> Iterator[tuple[str, str]]:
        starts = [share.above for share in self.cpu_reserved]
        if starts != sorted(set(starts)):
            yield "cpu_reserved", "the shares must rise"


class NodeAllocatableTable(Table[NodeAllocatable]):
    def of_ami_type(self, name: str) -> NodeAllocatable | None:
        """The row for nodes with this AMI type; None where nothing is recorded."""
        return next((row for row in self if name in row.ami_types), None)

    def of_instance_type(self, row: InstanceType) -> NodeAllocatable | None:
        """The row for nodes of this instance type with its own image of EKS."""
        return self.of_ami_type(row.eks_ami_type) if row.eks_ami_type is not None else None
