"""A file system that could take the checkpoints: what it does in figures."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.lustre_performance import NO_TIER, LustrePerformance
from neuron_cluster.checkpoints.arithmetic import GIB, MB


class FileSystem(Struct, frozen=True, kw_only=True):
    """An FSx for Lustre file system on SSD. Throughput is in bytes a second."""

    deployment_type: str
    capacity_gib: int
    tier: int
    """MB/s per TiB; 0 for a deployment type without tiers."""
    has_automatic_metadata: bool = True
    """Else metadata IOPS are those of the smallest file system, whatever the capacity."""
    performance: LustrePerformance

    @property
    def capacity(self) -> float:
        return self.capacity_gib * GIB

    @property
    def write_throughput(self) -> float:
        return self.performance.write_mbps(self.capacity_gib, self.tier) * MB

    @property
    def read_throughput(self) -> float:
        return self.performance.read_mbps(self.capacity_gib, self.tier) * MB

    @property
    def burst_throughput(self) -> float:
        return self.performance.burst_mbps(self.capacity_gib, self.tier) * MB

    @property
    def client_throughput(self) -> float:
        return self.performance.client_mbps(self.capacity_gib) * MB

    @property
    def creates_per_second(self) -> float:
        """Files that all clients together create."""
        capacity_gib = self.capacity_gib if self.has_automatic_metadata else 0
        return self.performance.creates_per_second(capacity_gib)

    @property
    def fill_limit(self) -> float:
        """Share of the capacity that may be used."""
        return self.performance.fill_limit

    def put_requests(self, size: float, files: int) -> int:
        """Returns the number of PUT requests of the export of one checkpoint."""
        del size
        return files

    def create_seconds(self, size: float, files: int) -> float:
        """To create the files of one checkpoint."""
        del size
        return files / self.creates_per_second

    @property
    def export_throughput(self) -> float:
        return self.write_throughput * self.performance.export_share

    @property
    def price_name(self) -> str:
        """Row of ``storage_prices``."""
        return price_name(self.deployment_type, self.tier)

    def __str__(self) -> str:
        tier = f" at {self.tier} MB/s per TiB" if self.tier != NO_TIER else ""
        return f"{self.capacity_gib:,} GiB {self.deployment_type}{tier}"


def price_name(deployment_type: str, tier: int) -> str:
    return f"lustre-{deployment_type}" + (f"-{tier}" if tier != NO_TIER else "")
