"""The state of everything that holds data: buckets, file systems, volumes, and the keys that they need."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.plan.storage_plan import StoragePlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection
from neuron_cluster.status.buckets import bucket_lines
from neuron_cluster.status.file_systems import efs_lines, lustre_lines, s3_files_lines
from neuron_cluster.status.keys import key_lines
from neuron_cluster.status.recovery_points import recovery_point_lines
from neuron_cluster.status.single_resources import express_lines, home_lines


def storage_section(query: StatusQuery) -> StatusSection | None:
    """Without the section there is nothing to read, except keys of other stacks."""
    storage = query.plan.storage
    lines = [*(_of_storage(query, storage) if storage is not None else ()), *key_lines(query)]
    return StatusSection("Storage and keys", lines, ", ".join(_not_looked_at(storage)))


def _not_looked_at(storage: StoragePlan | None) -> Iterator[str]:
    bucket = storage.bucket if storage is not None else None
    if bucket is not None:
        yield "contents of checkpoints (`neuron-cluster storage drill`)"
    if bucket is not None and bucket.replication is not None:
        yield f"copies in {bucket.replication.bucket} (`aws s3api list-object-versions`)"


def _of_storage(query: StatusQuery, storage: StoragePlan) -> Iterator[StatusLine]:
    if storage.bucket is not None:
        yield from bucket_lines(query, storage.bucket)
    if storage.lustre is not None:
        yield from lustre_lines(query, storage.lustre)
    if storage.efs is not None:
        yield from efs_lines(query, storage.efs)
    if storage.s3_files is not None:
        yield from s3_files_lines(query)
    if storage.express is not None:
        yield from express_lines(query)
    if storage.homes:
        yield from home_lines(query, storage.homes)
    if storage.backup is not None:
        yield from recovery_point_lines(query, storage.backup)
