"""An S3 bucket that programs save to, without a file system: what it does in figures."""

from __future__ import annotations

import math

from msgspec import Struct

from neuron_cluster.catalog.s3_transfer import S3Transfer
from neuron_cluster.checkpoints import arithmetic

MIB = 2**20


class DirectBucket(Struct, frozen=True, kw_only=True):
    """A general purpose bucket. Throughput is in bytes a second."""

    nodes: int
    """Nodes that write at once: the network of each is the limit."""
    transfer: S3Transfer

    @property
    def capacity(self) -> float:
        return math.inf

    @property
    def fill_limit(self) -> float:
        return 1.0

    @property
    def client_throughput(self) -> float:
        return self.transfer.client_gbps * 1000 / 8 * arithmetic.MB

    @property
    def write_throughput(self) -> float:
        return self.client_throughput * self.nodes

    @property
    def read_throughput(self) -> float:
        return self.write_throughput

    @property
    def burst_throughput(self) -> float:
        return self.write_throughput

    def put_requests(self, size: float, files: int) -> int:
        """Returns the number of PUT requests of one checkpoint."""
        return arithmetic.upload_requests(size, files, self.transfer.part_mib * MIB)

    def create_seconds(self, size: float, files: int) -> float:
        """Returns the seconds for the requests of one checkpoint below one prefix."""
        return self.put_requests(size, files) / self.transfer.put_requests_per_second

    def __str__(self) -> str:
        return "the checkpoint bucket"
