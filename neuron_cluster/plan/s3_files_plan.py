"""The file system of S3 Files, in the words of the service."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class S3FilesPlan(Struct, frozen=True):
    path: KeyPath
    prefix: str
    """Of the checkpoint bucket; ends in a slash."""
    zone_ids: tuple[str, ...]
    """Those with a mount target: each zone of the network."""
