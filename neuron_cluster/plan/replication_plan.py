"""Copies of new objects of the checkpoint bucket in another bucket."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class ReplicationPlan(Struct, frozen=True):
    """The target exists, with versioning: the toolkit neither makes nor changes it."""

    path: KeyPath
    bucket: str
    region: str
    account: str
    is_other_account: bool
    """Whether the copies are to be owned by the account of the target."""
    key_arn: str
    prefixes: tuple[str, ...]
    """Each ends in a slash."""
    delete_markers: bool
    time_control_minutes: int | None
    """None without S3 Replication Time Control."""
