"""The Lustre file system in `plan`."""

from __future__ import annotations

from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.plan.storage_plan import AssociationPlan, LustrePlan, TieringPlan
from neuron_cluster.report.marks import Marks


def _tiering(lustre: LustrePlan, tiering: TieringPlan, marks: Marks) -> str:
    cache = "sized by FSx" if tiering.read_cache_gib is None else f"{tiering.read_cache_gib:,} GiB"
    return (
        f"Intelligent-Tiering in {lustre.zone_id}, version {lustre.file_system_type_version}, "
        f"{tiering.throughput_mbps:,} MB/s{marks.mark((*lustre.path, 'throughput_mbps'))}, "
        f"{tiering.metadata_iops:,} metadata IOPS{marks.mark((*lustre.path, 'metadata_iops'))}, "
        f"read cache {cache}{marks.mark((*lustre.path, 'read_cache_gib'))}"
    )


def lustre_rows(lustre: LustrePlan, marks: Marks) -> list[tuple[str, ...]]:
    """The file system, its maintenance window and its association."""
    rows = _described(lustre, marks)
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
    rows: list[tuple[str, ...]] = [("Lustre file system", text), *window]
    if lustre.association is not None:
        rows.append(("association", _association(lustre.association, marks)))
    return rows


def _association(association: AssociationPlan, marks: Marks) -> str:
    ends = f"{association.file_system_path} and {association.prefix}/ of the bucket, both ways"
    mode, retention = marks.mark((*association.path, "mode")), association.retention
    if retention.expire_days is None:
        return f"mirror{mode} of {ends}, with deletions"
    days = f"{retention.expire_days} days{marks.mark((*association.path, 'expire_days'))}"
    return f"archive{mode} of {ends}; S3 deletes an object {days} after its write, and its version {_after(retention)}"


def _after(retention: BucketRetention) -> str:
    return "a day later" if retention.noncurrent_days == 1 else f"{retention.noncurrent_days} days later"
