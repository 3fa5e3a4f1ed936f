"""The figures of an environment's checkpoints on its file system."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.lustre_performance import NO_TIER
from neuron_cluster.checkpoints.build_spec import build_spec
from neuron_cluster.checkpoints.file_system import FileSystem
from neuron_cluster.checkpoints.plan_checkpoints import CheckpointPlan, plan_checkpoints, plan_in_bucket
from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.plan.storage_plan import BucketPlan, CheckpointsPlan, LustrePlan, StoragePlan


def checkpoint_storage(storage: StoragePlan | None, region: str, catalog: Catalog) -> CheckpointPlan | None:
    """On the file system, else in the bucket.

    None without checkpoints, without either, or for a file system of a deployment type that was never measured.
    """
    if storage is None or storage.checkpoints is None:
        return None
    if storage.lustre is None:
        return _in_bucket(storage.checkpoints, storage.bucket, region, catalog) if storage.bucket is not None else None
    given = file_system_of(storage.lustre, catalog)
    if given is None:
        return None
    association = storage.lustre.association
    retention = association.retention if association is not None else None
    spec = build_spec(storage.checkpoints.request, storage.checkpoints.writers, retention, catalog)
    return plan_checkpoints(spec, region, storage.lustre.deployment_type, catalog, given)


def _in_bucket(checkpoints: CheckpointsPlan, bucket: BucketPlan, region: str, catalog: Catalog) -> CheckpointPlan:
    retention = BucketRetention(None, bucket.noncurrent_version_days)
    return plan_in_bucket(build_spec(checkpoints.request, checkpoints.writers, retention, catalog), region, catalog)


def file_system_of(lustre: LustrePlan, catalog: Catalog) -> FileSystem | None:
    """None where no source has what it writes: PERSISTENT_1, Intelligent-Tiering."""
    performance = catalog.lustre_performances.get(lustre.deployment_type)
    if performance is None or lustre.capacity_gib is None:
        return None
    return FileSystem(
        deployment_type=lustre.deployment_type,
        capacity_gib=lustre.capacity_gib,
        tier=lustre.throughput_mbps_per_tib or NO_TIER,
        has_automatic_metadata=lustre.metadata_mode is not None or not lustre.takes_metadata,
        performance=performance,
    )
