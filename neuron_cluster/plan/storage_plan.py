"""Everything that holds data, in the words of S3, FSx and EC2."""

from __future__ import annotations

from dataclasses import dataclass

from neuron_cluster.config.source_map import KeyPath


@dataclass(frozen=True, slots=True)
class BucketPlan:
    path: KeyPath
    noncurrent_version_days: int
    abort_incomplete_upload_days: int


@dataclass(frozen=True, slots=True)
class AssociationPlan:
    """A folder of the file system that mirrors a prefix of the checkpoint bucket, both ways."""

    path: KeyPath
    file_system_path: str
    prefix: str


@dataclass(frozen=True, slots=True)
class LustrePlan:
    path: KeyPath
    zone_id: str
    capacity_gib: int
    deployment_type: str
    """``PERSISTENT_2``, …"""
    takes_key: bool
    """False for scratch file systems, which FSx encrypts with a key of its own and of no other."""
    file_system_type_version: str
    throughput_mbps_per_tib: int | None
    """None for scratch file systems, whose throughput is fixed."""
    data_compression: str
    """``LZ4`` or ``NONE``."""
    association: AssociationPlan | None


@dataclass(frozen=True, slots=True)
class HomePlan:
    """The volume of one home directory."""

    path: KeyPath
    name: str
    zone_id: str
    size_gib: int


@dataclass(frozen=True, slots=True)
class StoragePlan:
    path: KeyPath
    bucket: BucketPlan | None
    lustre: LustrePlan | None
    homes: tuple[HomePlan, ...] = ()
