"""The EFS file system of an environment, in the words of EFS."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class AccessPointPlan(Struct, frozen=True):
    """A folder that clients mount, and the POSIX user that all of them are there."""

    path: KeyPath
    name: str
    folder: str
    uid: int
    gid: int
    mode: str
    """Four octal digits, set when EFS creates the folder."""


class EfsPlan(Struct, frozen=True):
    path: KeyPath
    throughput_mode: str
    """``elastic`` or ``bursting``."""
    has_backup: bool
    zone_ids: tuple[str, ...]
    """Those with a mount target: each zone of the network."""
    access_points: tuple[AccessPointPlan, ...]
