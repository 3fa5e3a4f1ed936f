"""The table of everything that holds data, in `plan`."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan
from neuron_cluster.plan.storage_plan import BucketPlan, ExpressPlan, StoragePlan
from neuron_cluster.report.efs_page import efs_rows, s3_files_text
from neuron_cluster.report.lustre_rows import lustre_rows
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.protection_rows import backup_rows, object_lock_text, replication_text
from neuron_cluster.table import Table

KEY = "Encrypted with {}; survives `destroy`."


def storage_table(storage: StoragePlan | None, region: str, marks: Marks, catalog: Catalog) -> Table:
    """Without rows where the environment has no data."""
    if storage is None:
        return Table("Storage", ("what", "how"), (), KEY.format("a key of its own"))
    key = f"the key that exists, {storage.key_arn}" if storage.key_arn is not None else "a key of its own"
    return Table("Storage", ("what", "how"), tuple(_rows(storage, region, marks, catalog)), KEY.format(key))


def _rows(storage: StoragePlan, region: str, marks: Marks, catalog: Catalog) -> Iterator[tuple[str, ...]]:
    if storage.bucket is not None:
        yield from _bucket(storage.bucket, marks)
    if storage.compile_cache is not None:
        yield from _compile_cache(storage.compile_cache, storage.bucket, marks)
    if storage.lustre is not None:
        yield from lustre_rows(storage.lustre, storage.bucket, marks)
    if storage.express is not None:
        yield "S3 Express bucket", _express(storage.express, marks)
    if storage.efs is not None:
        yield from efs_rows(storage.efs, region, marks, catalog)
    if storage.s3_files is not None:
        yield "S3 Files file system", s3_files_text(storage.s3_files, region, marks, catalog)
    if storage.backup is not None:
        yield from backup_rows(storage.backup)
    for home in storage.homes:
        yield f"home {home.name}", f"volume of {home.size_gib:,} GiB in {home.zone_id}"


def _bucket(bucket: BucketPlan, marks: Marks) -> Iterator[tuple[str, ...]]:
    if bucket.existing is not None:
        yield "checkpoint bucket", f"{bucket.existing.name}, which exists and is not changed"
        return
    days = f"{bucket.noncurrent_version_days} days{marks.mark((*bucket.path, 'noncurrent_version_days'))}"
    uploads = f"{bucket.abort_incomplete_upload_days} days"
    uploads += marks.mark((*bucket.path, "abort_incomplete_upload_days"))
    yield "checkpoint bucket", f"versioned; old versions kept {days}; broken uploads removed after {uploads}"
    if bucket.object_lock is not None:
        yield "Object Lock", object_lock_text(bucket.object_lock)
    if bucket.replication is not None:
        yield "replication", replication_text(bucket.replication, marks)


def _compile_cache(cache: CompileCachePlan, bucket: BucketPlan | None, marks: Marks) -> list[tuple[str, ...]]:
    """A row for each folder, with the groups whose graphs are there. A bucket that exists gets no lifecycle rule."""
    kept = f"graphs deleted after {cache.expire_days} days{marks.mark((*cache.path, 'expire_days'))}"
    if bucket is not None and bucket.existing is not None:
        kept = "only the lifecycle rules that the bucket has delete graphs (W9573)"
    rows: list[tuple[str, ...]] = [("compile cache", f"{cache.prefix} of the bucket; {kept}")]
    groups: dict[str, list[str]] = {}
    for each in cache.compiled_for:
        groups.setdefault(each.folder, []).append(each.group)
    rows += [(f"graphs of {', '.join(names)}", f"{cache.prefix}{folder}/") for folder, names in groups.items()]
    return rows


def _express(express: ExpressPlan, marks: Marks) -> str:
    days = express.expiration_days
    objects = "stay" if days is None else f"are deleted after {days} days"
    objects += marks.mark((*express.path, "expiration_days"))
    uploads = f"{express.abort_incomplete_upload_days} days"
    uploads += marks.mark((*express.path, "abort_incomplete_upload_days"))
    return f"in {express.zone_id}, without versions; objects {objects}; broken uploads removed after {uploads}"
