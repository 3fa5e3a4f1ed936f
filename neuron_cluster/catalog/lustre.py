"""FSx for Lustre: the storage capacities, throughput tiers and versions of each deployment type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class LustreDeploymentFacts(SourcedRow, frozen=True, kw_only=True):
    """One deployment type on SSD, by the name that the FSx API uses.

    Capacities are in GiB: the ``first_capacities_gib``, then multiples of ``capacity_step_gib``. Throughput tiers are
    MB/s per TiB, empty where the service fixes them. ``efa_capacity_step_gib`` maps a tier to the multiple that a file
    system with EFA must have; FSx excludes ``efa_excluded_families`` as EFA clients. A metadata configuration
    requires one of ``metadata_versions``.
    """

    storage_type: Literal["SSD"]
    durable: bool
    first_capacities_gib: tuple[int, ...]
    capacity_step_gib: int
    throughput_tiers: tuple[int, ...]
    versions: tuple[str, ...]
    recommended_version: str
    metadata_versions: tuple[str, ...]
    metadata_iops: tuple[int, ...]
    metadata_iops_step: int | None
    metadata_iops_maximum: int | None
    efa_capacity_step_gib: FrozenMap[int, int]
    efa_excluded_families: tuple[str, ...]
    data_repository_association: bool
    most_data_repository_associations: int

    def allows_capacity(self, capacity_gib: int) -> bool:
        """Whether a file system of this size can be created."""
        return capacity_gib in self.first_capacities_gib or (
            capacity_gib > max(self.first_capacities_gib) and capacity_gib % self.capacity_step_gib == 0
        )

    def nearest_capacities(self, capacity_gib: int) -> tuple[int, ...]:
        """The valid sizes next to an invalid one: the next smaller, if there is one, and the next larger."""
        below = capacity_gib // self.capacity_step_gib * self.capacity_step_gib
        candidates = sorted({*self.first_capacities_gib, below, below + self.capacity_step_gib})
        allowed = [size for size in candidates if self.allows_capacity(size)]
        smaller = [size for size in allowed if size < capacity_gib][-1:]
        larger = [size for size in allowed if size > capacity_gib][:1]
        return (*smaller, *larger)

    def allows_metadata_iops(self, iops: int) -> bool:
        """Whether user-provisioned metadata IOPS may have this value."""
        if iops in self.metadata_iops:
            return True
        if self.metadata_iops_step is None or self.metadata_iops_maximum is None:
            return False
        return 0 < iops <= self.metadata_iops_maximum and iops % self.metadata_iops_step == 0

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.recommended_version not in self.versions:
            yield "recommended_version", "is not one of versions"
        if not set(self.metadata_versions) <= set(self.versions):
            yield "metadata_versions", "are not all in versions"
        for tier in self.efa_capacity_step_gib:
            if tier not in self.throughput_tiers:
                yield f"efa_capacity_step_gib.{tier}", "is not one of throughput_tiers"
        if not self.first_capacities_gib or self.capacity_step_gib < 1:
            yield "first_capacities_gib", "a smallest size and a step of at least 1 are needed"
