"""Everything of ``storage`` that is billed, but volumes: what the file decides the amount of, and what it does not.

`plan` and `cost` read this list; homes are volumes (``machine_lines.home_lines``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.checkpoints.monthly_cost import CostLine, lustre_line, replica_lines
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage, file_system_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.efs_plan import EfsPlan
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.storage_plan import LustrePlan, StoragePlan

BUCKET_PRICES = {"s3-standard": "a GB and month", "s3-put": "for 1,000 PUT requests"}
EXPRESS_PRICES = {"s3-express": "a GB and month", "s3-express-upload": "a GB written"}
EFS_PRICES = {"efs-storage": "a GB and month", "efs-write": "a GB written", "efs-read": "a GB read"}
"""The unit of each row of the catalog; the last two only with elastic throughput."""
S3_FILES_PRICES = {"s3-files-storage": "a GB and month on the file system", "s3-files-write": "a GB written"}
ELASTIC = "elastic"
OF_LUSTRE = "FSx for Lustre"


class UsedStorage(Struct, frozen=True):
    """A part whose amount the file does not decide: it is in no sum."""

    what: str
    service: str
    """In the words of AWS's bill."""
    prices: Mapping[str, str]
    """Rows of ``storage_prices``, with what each is for; none where the catalog has no row of the service."""
    region: str
    """Where it is billed."""


def decided_storage(plan: ClusterPlan, catalog: Catalog) -> tuple[CostLine, ...]:
    """USD a month. A line without ``usd`` is one whose price no source has; what exists has none."""
    return tuple(_decided(plan.storage, plan.region, catalog)) if plan.storage is not None else ()


def used_storage(plan: ClusterPlan, catalog: Catalog) -> tuple[UsedStorage, ...]:
    """In the order of the file."""
    return tuple(_used(plan.storage, plan.region, catalog)) if plan.storage is not None else ()


def efs_prices(efs: EfsPlan) -> Mapping[str, str]:
    """Rows of the catalog that apply to the file system, with what each is for."""
    return EFS_PRICES if efs.throughput_mode == ELASTIC else {"efs-storage": EFS_PRICES["efs-storage"]}


def _decided(storage: StoragePlan, region: str, catalog: Catalog) -> Iterator[CostLine]:
    checkpoints = checkpoint_storage(storage, region, catalog)
    if storage.lustre is not None and storage.lustre.existing is None:
        yield _lustre(storage.lustre, region, catalog)
    yield from _of_bucket(storage, checkpoints)
    yield from _golden_copies(storage, checkpoints, region, catalog)


def _used(storage: StoragePlan, region: str, catalog: Catalog) -> Iterator[UsedStorage]:
    checkpoints = checkpoint_storage(storage, region, catalog)
    bucket = storage.bucket
    if bucket is not None and not _of_bucket(storage, checkpoints):
        yield UsedStorage("checkpoint bucket", "S3 Standard", BUCKET_PRICES, region)
    if bucket is not None and bucket.replication is not None:
        has_copies = bool(_golden_copies(storage, checkpoints, region, catalog))
        yield from _used_replica(bucket.replication, has_copies=has_copies)
    if storage.express is not None:
        yield UsedStorage("S3 Express bucket", "S3 Express One Zone", EXPRESS_PRICES, region)
    if storage.efs is not None:
        yield UsedStorage("EFS", "EFS", efs_prices(storage.efs), region)
    if storage.s3_files is not None:
        yield UsedStorage("S3 Files", "S3 Files", S3_FILES_PRICES, region)
    if storage.backup is not None:
        yield UsedStorage("backups", "AWS Backup", {}, region)


def _lustre(lustre: LustrePlan, region: str, catalog: Catalog) -> CostLine:
    file_system = file_system_of(lustre, catalog)
    if file_system is not None:
        return lustre_line(file_system, catalog.storage_prices.by_name, region)
    capacity = f"{lustre.capacity_gib:,} GiB" if lustre.capacity_gib is not None else "Intelligent-Tiering"
    formula = f"{capacity}; no price of {region} is known"
    return CostLine(f"{OF_LUSTRE}, {lustre.deployment_type}", formula, None, amount=lustre.capacity_gib)


def _of_bucket(storage: StoragePlan, checkpoints: CheckpointPlan | None) -> tuple[CostLine, ...]:
    """Returns the lines of planned checkpoints in the bucket."""
    if storage.bucket is None or checkpoints is None or checkpoints.given is None:
        return ()
    return tuple(each for each in checkpoints.given.costs if not each.what.startswith(OF_LUSTRE))


def _golden_copies(
    storage: StoragePlan, checkpoints: CheckpointPlan | None, region: str, catalog: Catalog
) -> tuple[CostLine, ...]:
    """Copies of golden checkpoints are planned, those of other prefixes are not."""
    replication = storage.bucket.replication if storage.bucket is not None else None
    if replication is None or checkpoints is None or checkpoints.given is None:
        return ()
    if GOLDEN_PREFIX not in replication.prefixes:
        return ()
    return replica_lines(
        checkpoints.spec,
        checkpoints.given.assessment,
        region,
        replication.region,
        catalog,
        time_control=replication.time_control_minutes is not None,
    )


def _used_replica(replication: ReplicationPlan, *, has_copies: bool) -> Iterator[UsedStorage]:
    others = [each for each in replication.prefixes if each != GOLDEN_PREFIX or not has_copies]
    if others:
        yield UsedStorage(f"replica of {', '.join(others)}", "S3 replication", BUCKET_PRICES, replication.region)
