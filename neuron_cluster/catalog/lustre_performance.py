"""Throughput, metadata IOPS and limits of clients of FSx for Lustre file systems."""

from __future__ import annotations

import math
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

GIB_PER_TIB = 1024
NO_TIER = 0
"""Key of a deployment type whose throughput is fixed."""


class LustrePerformance(SourcedRow, frozen=True, kw_only=True):
    """One deployment type. Throughput is in MB/s (10^6 bytes), capacity in GiB."""

    write_mbps_per_tib: FrozenMap[int, int]
    read_mbps_per_tib: FrozenMap[int, int]
    burst_mbps_per_tib: FrozenMap[int, int]
    metadata_iops: FrozenMap[int, int]
    metadata_step_gib: int
    metadata_step_iops: int
    creates_per_metadata_iops: float
    client_gbps: float
    client_gbps_per_server: float
    gib_per_server: int
    fill_limit: float
    export_share: float
    export_files_per_second: float

    @property
    def tiers(self) -> tuple[int, ...]:
        return tuple(self.write_mbps_per_tib)

    def write_mbps(self, capacity_gib: int, tier: int) -> float:
        """Returns the sustained write throughput of all clients together, in MB/s."""
        return capacity_gib / GIB_PER_TIB * self.write_mbps_per_tib[tier]

    def read_mbps(self, capacity_gib: int, tier: int) -> float:
        return capacity_gib / GIB_PER_TIB * self.read_mbps_per_tib[tier]

    def burst_mbps(self, capacity_gib: int, tier: int) -> float:
        """Returns the throughput of the disks while credits last, in MB/s; without a burst the sustained one."""
        per_tib = self.burst_mbps_per_tib.get(tier, self.write_mbps_per_tib[tier])
        return capacity_gib / GIB_PER_TIB * per_tib

    def client_mbps(self, capacity_gib: int) -> float:
        """Returns the throughput of one client without EFA, in MB/s."""
        servers = math.ceil(capacity_gib / self.gib_per_server)
        return min(self.client_gbps, self.client_gbps_per_server * servers) * 1000 / 8

    def automatic_metadata_iops(self, capacity_gib: int) -> int:
        """With an AUTOMATIC metadata configuration."""
        start = max(size for size in self.metadata_iops if size <= max(capacity_gib, min(self.metadata_iops)))
        steps = (capacity_gib - start) // self.metadata_step_gib if start == max(self.metadata_iops) else 0
        return self.metadata_iops[start] + steps * self.metadata_step_iops

    def creates_per_second(self, capacity_gib: int) -> float:
        """Files that all clients together create."""
        return self.creates_per_metadata_iops * self.automatic_metadata_iops(capacity_gib)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if set(self.write_mbps_per_tib) != set(self.read_mbps_per_tib):
            yield "read_mbps_per_tib", "has other tiers than write_mbps_per_tib"
        if not 0 < self.fill_limit <= 1:
            yield "fill_limit", "is a share of the capacity"
