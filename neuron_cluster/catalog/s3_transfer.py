"""Rates at which programs write to S3 and read from it without a file system."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow

STANDARD = "standard"


class S3Transfer(SourcedRow, frozen=True, kw_only=True):
    """One storage class. ``client_gbps`` (10^9 bits a second) is that of one node."""

    client_gbps: float
    put_requests_per_second: int
    """PUT requests per second of one prefix."""
    part_mib: int
    """Size of a part of a multipart upload."""
