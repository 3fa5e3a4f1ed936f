"""The Lustre file system in `plan`."""

from __future__ import annotations

from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.plan.storage_plan import AssociationPlan, BucketPlan, LustrePlan, TieringPlan
from neuron_cluster.report.marks import Marks


def _tiering(lustre: LustrePlan, tiering: TieringPlan, marks: Marks) -> str:
    cache = "sized by FSx" if tiering.read_cache_gib is None else f"{tiering.read_cache_gib:,} GiB"
    return (
        f"Intelligent-Tiering in {lustre.zone_id}, version {lustre.file_system_type_version}, "
        f"{tiering.throughput_mbps:,} MB/s{marks.mark((*lustre.path, 'throughput_mbps'))}, "
        f"{tiering.metadata_iops:,} metadata IOPS{marks.mark((*lustre.path, 'metadata_iops'))}, "
        f"read cache {cache}{marks.mark((*lustre.path, 'read_cache_gib'))}"
    )


def lustre_rows(lustre: LustrePlan, bucket: BucketPlan | None, marks: Marks) -> list[tuple[str, ...]]:
    """The file system, its maintenance window and its association with the bucket."""
    rows = _described(lustre, marks)
    if lustre.association is not None:
        rows.append(("association", _association(lustre.association, bucket, marks)))
    if lustre.existing is None:
        return rows
    what, how = rows[0]
    return [(what, f"{lustre.existing.file_system_id}, which exists and is not changed: {how}"), *rows[1:]]


def _described(lustre: LustrePlan, marks: Marks) -> list[tuple[str, ...]]:
    window = [("maintenance window", f"{lustre.maintenance_window} UTC")] if lustre.maintenance_window else []
    if lustre.tiering is not None:
        return [("Lustre file system", _tiering(lustre, lustre.tiering, marks)), *window]
    kind = f"{lustre.deployment_type}{marks.mark((*lustre.path, 'deployment_type'))}"
    capacity = f"{lustre.capacity_gib:,} GiB{marks.mark((*lustre.path, 'capacity_gib'))}"
    text = f"{capacity} {kind} in {lustre.zone_id}, version {lustre.file_system_type_version}"
    if lustre.throughput_mbps_per_tib is not None:
        tier = f"{lustre.throughput_mbps_per_tib} MB/s per TiB"
        text += f", {tier}{marks.mark((*lustre.path, 'throughput_mbps_per_tib'))}"
    text += f", compression {lustre.data_compression}{marks.mark((*lustre.path, 'data_compression'))}"
    if lustre.takes_metadata:
        text += f", metadata {lustre.metadata_mode or 'none'}{marks.mark((*lustre.path, 'metadata'))}"
    return [("Lustre file system", text), *window]


def _association(association: AssociationPlan, bucket: BucketPlan | None, marks: Marks) -> str:
    """Returns the text of the association. Lifecycle rules of the template delete: an existing bucket gets none."""
    ends = f"{association.file_system_path} and {association.prefix}/ of the bucket, both ways"
    mode, retention = marks.mark((*association.path, "mode")), association.retention
    if retention.expire_days is None:
        return f"mirror{mode} of {ends}, with deletions"
    if bucket is not None and bucket.existing is not None:
        return f"archive{mode} of {ends}; only the lifecycle rules that the bucket has delete its objects (W9573)"
    days = f"{retention.expire_days} days{marks.mark((*association.path, 'expire_days'))}"
    version = f"its version {_after(retention)}{_locked(bucket)}"
    return f"archive{mode} of {ends}; S3 deletes an object {days} after its write, and {version}"


def _locked(bucket: BucketPlan | None) -> str:
    """A lifecycle rule deletes no version before its retention has ended."""
    lock = bucket.object_lock if bucket is not None else None
    return f", when Object Lock has ended, {lock.days} days after the write" if lock is not None else ""


def _after(retention: BucketRetention) -> str:
    return "a day later" if retention.noncurrent_days == 1 else f"{retention.noncurrent_days} days later"
