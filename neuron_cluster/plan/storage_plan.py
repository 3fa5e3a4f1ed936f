"""Everything that holds data, in the words of S3, FSx and EC2."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.checkpoints.request import CheckpointRequest, Writers
from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.backup_plan import BackupPlan
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan
from neuron_cluster.plan.efs_plan import EfsPlan
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.s3_files_plan import S3FilesPlan

ARCHIVE_RULE = "expire-archive"
"""Id of the lifecycle rule of the prefix that `storage.lustre.sync` keeps as an archive."""


class LifecycleRulePlan(Struct, frozen=True):
    """A lifecycle rule for one prefix of the bucket."""

    name: str
    """Id of the rule."""
    prefix: str
    """Ends in a slash."""
    expire_days: int
    """Of current versions."""
    noncurrent_version_days: int


class ObjectLockPlan(Struct, frozen=True):
    """Default retention of new objects in the whole bucket."""

    path: KeyPath
    mode: str
    """``GOVERNANCE`` or ``COMPLIANCE``."""
    days: int


class ExistingBucketPlan(Struct, frozen=True):
    """A bucket that exists: stacks refer to it, and set nothing on it."""

    name: str
    key_arn: str | None
    """None: SSE-S3."""


class BucketPlan(Struct, frozen=True):
    path: KeyPath
    noncurrent_version_days: int
    abort_incomplete_upload_days: int
    lifecycle_rules: tuple[LifecycleRulePlan, ...] = ()
    """Of prefixes, beside the rule for the whole bucket; S3 applies the shorter time."""
    replication: ReplicationPlan | None = None
    object_lock: ObjectLockPlan | None = None
    existing: ExistingBucketPlan | None = None
    """None for a bucket that the storage stack creates."""


class AssociationPlan(Struct, frozen=True):
    """A folder of the file system and a prefix of the checkpoint bucket; new files appear on both sides."""

    path: KeyPath
    file_system_path: str
    prefix: str
    retention: BucketRetention
    """Of objects whose files are deleted on the file system."""

    @property
    def mirrors(self) -> bool:
        """Whether what is deleted on one side is deleted on the other."""
        return self.retention.expire_days is None


class ExpressPlan(Struct, frozen=True):
    """A directory bucket of S3 Express One Zone."""

    path: KeyPath
    zone_id: str
    expiration_days: int | None
    """None: objects stay."""
    abort_incomplete_upload_days: int


class MetadataSource(enum.Enum):
    """The source of the metadata configuration of a file system."""

    FILE = "file"
    LOCK = "lock"
    DEFAULT = "default"


class TieringPlan(Struct, frozen=True):
    """What a file system of Intelligent-Tiering has instead of a capacity and a tier."""

    throughput_mbps: int
    metadata_iops: int
    read_cache_gib: int | None
    """0: none; None: FSx sizes it by the throughput."""


class ExistingLustrePlan(Struct, frozen=True):
    """A file system that exists: stacks refer to it, and create only the association of `sync`."""

    file_system_id: str
    dns_name: str
    mount_name: str
    security_group_id: str

    @property
    def names(self) -> tuple[str, str, str]:
        """Id, DNS name and mount name."""
        return (self.file_system_id, self.dns_name, self.mount_name)


class LustrePlan(Struct, frozen=True):
    path: KeyPath
    zone_id: str
    capacity_gib: int | None
    """None with Intelligent-Tiering, which has no capacity."""
    deployment_type: str
    """``PERSISTENT_2``, …"""
    takes_key: bool
    """False for scratch file systems, which FSx encrypts with a key of its own and of no other."""
    file_system_type_version: str
    throughput_mbps_per_tib: int | None
    """None for scratch file systems, whose throughput is fixed, and with Intelligent-Tiering."""
    data_compression: str
    """``LZ4`` or ``NONE``."""
    association: AssociationPlan | None
    metadata_mode: str | None
    """``AUTOMATIC``; None for a file system without a metadata configuration."""
    metadata_source: MetadataSource
    takes_metadata: bool
    """Whether a metadata configuration is a choice: FSx offers it for the deployment type, and does not require it."""
    tiering: TieringPlan | None = None
    """None for a file system on SSD."""
    maintenance_window: str | None = None
    """``d:HH:MM`` in UTC; None: FSx sets it."""
    existing: ExistingLustrePlan | None = None
    """None for a file system that the storage stack creates."""


class HomePlan(Struct, frozen=True):
    """The volume of one home directory."""

    path: KeyPath
    name: str
    zone_id: str
    size_gib: int


class CheckpointsPlan(Struct, frozen=True):
    """What training jobs save, and the nodes that do; ``checkpoint_storage`` makes figures of it."""

    path: KeyPath
    group: str
    request: CheckpointRequest
    writers: Writers
    drill: str | None = None
    """Schedule of the drill of a restore."""


class StoragePlan(Struct, frozen=True):
    path: KeyPath
    bucket: BucketPlan | None
    lustre: LustrePlan | None
    homes: tuple[HomePlan, ...] = ()
    checkpoints: CheckpointsPlan | None = None
    compile_cache: CompileCachePlan | None = None
    express: ExpressPlan | None = None
    efs: EfsPlan | None = None
    s3_files: S3FilesPlan | None = None
    backup: BackupPlan | None = None
    key_arn: str | None = None
    """A key that exists; None where the storage stack creates the data key."""

    @property
    def has_mount_targets(self) -> bool:
        """Whether clients reach a file system over NFS."""
        return self.efs is not None or self.s3_files is not None
