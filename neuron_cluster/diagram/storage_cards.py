"""Cards of everything that holds data."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.diagram.model import Area, Card, Kind
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.storage_plan import BucketPlan, LustrePlan, StoragePlan

BUCKET, LUSTRE, EFS, S3_FILES, EXPRESS, CACHE, VAULT = (
    "bucket", "lustre", "efs", "s3-files", "express", "compile-cache", "backup-vault",
)  # fmt: skip
REPLICA = "replica"


def home_id(name: str) -> str:
    return f"home-{name}"


def lustre_card(lustre: LustrePlan) -> Card:
    """In the zone of its network interfaces."""
    lines = [lustre.existing.file_system_id + ", exists"] if lustre.existing is not None else []
    if lustre.capacity_gib is not None:
        lines.append(f"{lustre.capacity_gib:,} GiB {lustre.deployment_type}")
    if lustre.throughput_mbps_per_tib is not None:
        lines.append(f"{lustre.throughput_mbps_per_tib:,} MB/s per TiB")
    if lustre.tiering is not None:
        lines.append(f"Intelligent-Tiering, {lustre.tiering.throughput_mbps:,} MB/s")
    return Card(id=LUSTRE, kind=Kind.DATA, label="file system", title="FSx for Lustre", lines=tuple(lines))


def storage_area(plan: ClusterPlan) -> Area | None:
    """Returns the area of storage outside of the VPC, and of file systems with interfaces in several zones."""
    storage = plan.storage
    if storage is None:
        return None
    cards = (*_buckets(storage), *_file_systems(storage), *_homes(storage), *_backup(storage))
    note = "encrypted with the KMS key of the environment"
    if storage.key_arn is not None:
        note = "encrypted with a KMS key that exists"
    if not cards:
        return None
    return Area(id="storage", kind=Kind.STORAGE, title="Storage that destroy keeps", note=note, items=cards)


def _buckets(storage: StoragePlan) -> Iterator[Card]:
    if storage.bucket is not None:
        yield Card(
            id=BUCKET, kind=Kind.DATA, label="S3 bucket", title="Checkpoint bucket", lines=_bucket(storage.bucket)
        )
    if storage.compile_cache is not None:
        cache = storage.compile_cache
        lines = (f"{cache.prefix} of the bucket", f"graphs kept {counted(cache.expire_days, 'day')}")
        yield Card(id=CACHE, kind=Kind.DATA, label="S3 prefix", title="Compile cache", lines=lines)
    if storage.express is not None:
        lines = (f"S3 Express One Zone in {storage.express.zone_id}", "without versions")
        yield Card(id=EXPRESS, kind=Kind.DATA, label="S3 directory bucket", title="Express bucket", lines=lines)


def _bucket(bucket: BucketPlan) -> tuple[str, ...]:
    if bucket.existing is not None:
        return (bucket.existing.name, "exists, is not changed")
    lines = [f"old versions kept {counted(bucket.noncurrent_version_days, 'day')}"]
    if bucket.object_lock is not None:
        lock = bucket.object_lock
        lines.append(f"Object Lock, {lock.mode.lower()} mode, {counted(lock.days, 'day')}")
    return tuple(lines)


def _file_systems(storage: StoragePlan) -> Iterator[Card]:
    if storage.efs is not None:
        efs = storage.efs
        points = [f"access point {each.name}: {each.folder}" for each in efs.access_points]
        lines = (f"mount targets in {', '.join(efs.zone_ids)}", *points)
        yield Card(id=EFS, kind=Kind.DATA, label="file system", title="EFS", lines=lines)
    if storage.s3_files is not None:
        files = storage.s3_files
        lines = (f"{files.prefix} of the bucket", f"mount targets in {', '.join(files.zone_ids)}")
        yield Card(id=S3_FILES, kind=Kind.DATA, label="file system", title="S3 Files", lines=lines)


def _homes(storage: StoragePlan) -> Iterator[Card]:
    for home in storage.homes:
        lines = (f"{home.size_gib:,} GiB in {home.zone_id}",)
        yield Card(id=home_id(home.name), kind=Kind.DATA, label="EBS volume", title=f"Home {home.name}", lines=lines)


def _backup(storage: StoragePlan) -> Iterator[Card]:
    backup = storage.backup
    if backup is None:
        return
    lines = [f"{rule.name}: kept {counted(rule.delete_after_days, 'day')}" for rule in backup.rules]
    lines += ["vault lock"] if backup.vault_lock is not None else []
    yield Card(id=VAULT, kind=Kind.COPY, label="AWS Backup", title="Backup vault", lines=tuple(lines))


def replica_area(plan: ClusterPlan) -> Area | None:
    """The other Region that objects of the bucket are copied to."""
    bucket = plan.storage.bucket if plan.storage is not None else None
    replication = bucket.replication if bucket is not None else None
    if replication is None:
        return None
    lines = [f"account {replication.account}"] if replication.is_other_account else []
    if replication.time_control_minutes is not None:
        lines.append(f"within {counted(replication.time_control_minutes, 'minute')}")
    card = Card(id=REPLICA, kind=Kind.COPY, label="S3 bucket", title=replication.bucket, lines=tuple(lines))
    return Area(id="replica-region", kind=Kind.REGION, title=replication.region, items=(card,))
