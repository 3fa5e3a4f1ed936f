"""Storage decisions: FSx's spelling, the version of the file system, the lowest throughput tier as the default."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.checkpoint_bucket import CheckpointBucket
from neuron_cluster.config.checkpoints import Checkpoints
from neuron_cluster.config.lustre import Lustre, LustreMetadata, LustreSync
from neuron_cluster.config.object_lock import ObjectLock
from neuron_cluster.config.storage import Storage
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, EXPIRY_RULE
from neuron_cluster.plan.golden_rule import golden_rule
from neuron_cluster.plan.s3_files_plan import S3FilesPlan
from neuron_cluster.plan.storage_plan import (
    ARCHIVE_RULE,
    AssociationPlan,
    BucketPlan,
    CheckpointsPlan,
    ExistingBucketPlan,
    ExistingLustrePlan,
    ExpressPlan,
    HomePlan,
    LifecycleRulePlan,
    LustrePlan,
    MetadataSource,
    ObjectLockPlan,
    StoragePlan,
)
from neuron_cluster.planning.build_backup import build_backup
from neuron_cluster.planning.build_compile_cache import build_compile_cache
from neuron_cluster.planning.build_efs import build_efs
from neuron_cluster.planning.build_lustre_tiering import tiering_plan
from neuron_cluster.planning.build_replication import build_replication
from neuron_cluster.resolved.bucket_retention import bucket_retention
from neuron_cluster.resolved.checkpoints import (
    checkpoint_group,
    checkpoint_request,
    checkpoint_writers,
    chosen_file_system,
    lustre_capacity_gib,
)
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


def build_storage(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None) -> StoragePlan | None:
    """None when the file defines nothing that holds data: then there is no storage stack."""
    spec = environment.config.storage
    if spec is None or not (spec.checkpoint_bucket or spec.lustre or spec.express or spec.efs or spec.homes):
        return None
    homes = tuple(
        HomePlan(("storage", "homes", position), home.name, home.availability_zone, home.size_gib)
        for position, home in enumerate(spec.homes)
    )
    checkpoints = _checkpoints(environment, spec.checkpoints) if spec.checkpoints else None
    lustre = _lustre(environment, spec.lustre, catalog, lock) if spec.lustre else None
    cache = build_compile_cache(environment, spec.compile_cache, catalog, lock) if spec.compile_cache else None
    express = _express(spec)
    efs = build_efs(spec.efs, environment.config.network.zone_ids) if spec.efs else None
    files = _s3_files(spec, environment)
    backup = build_backup(environment, spec.backup, catalog) if spec.backup else None
    return StoragePlan(
        path=("storage",),
        bucket=_bucket(environment, spec, lustre, catalog),
        lustre=lustre,
        homes=homes,
        checkpoints=checkpoints,
        compile_cache=cache,
        express=express,
        efs=efs,
        s3_files=files,
        backup=backup,
        key_arn=spec.key_arn,
    )


def _bucket(
    environment: ResolvedEnvironment, spec: Storage, lustre: LustrePlan | None, catalog: Catalog
) -> BucketPlan | None:
    bucket = spec.checkpoint_bucket
    if bucket is None:
        return None
    existing = bucket.existing
    return BucketPlan(
        ("storage", "checkpoint_bucket"),
        bucket.noncurrent_version_days,
        bucket.abort_incomplete_upload_days,
        tuple(_lifecycle_rules(spec, lustre.association if lustre is not None else None)),
        build_replication(environment.config.account, bucket.replication, catalog) if bucket.replication else None,
        _object_lock(bucket.object_lock) if bucket.object_lock else None,
        ExistingBucketPlan(existing.name, existing.key_arn) if existing is not None else None,
    )


def _object_lock(spec: ObjectLock) -> ObjectLockPlan:
    return ObjectLockPlan(("storage", "checkpoint_bucket", "object_lock"), spec.mode.value.upper(), spec.days)


def _lifecycle_rules(spec: Storage, association: AssociationPlan | None) -> Iterator[LifecycleRulePlan]:
    days = association.retention.expire_days if association is not None else None
    if association is not None and days is not None:
        yield LifecycleRulePlan(ARCHIVE_RULE, f"{association.prefix}/", days, association.retention.noncurrent_days)
    golden_days = spec.checkpoints.golden_days if spec.checkpoints is not None else None
    if golden_days is not None and spec.checkpoint_bucket is not None:
        yield golden_rule(golden_days, spec.checkpoint_bucket.noncurrent_version_days)
    # A graph can be compiled again, so an old version of one is of no use.
    if spec.compile_cache is not None:
        yield LifecycleRulePlan(EXPIRY_RULE, COMPILE_CACHE_PREFIX, spec.compile_cache.expire_days, 1)


def _s3_files(spec: Storage, environment: ResolvedEnvironment) -> S3FilesPlan | None:
    if spec.s3_files is None:
        return None
    zone_ids = tuple(environment.config.network.zone_ids)
    return S3FilesPlan(("storage", "s3_files"), f"{spec.s3_files.prefix}/", zone_ids)


def _express(spec: Storage) -> ExpressPlan | None:
    express = spec.express
    if express is None:
        return None
    return ExpressPlan(
        ("storage", "express"),
        express.availability_zone,
        express.expiration_days,
        express.abort_incomplete_upload_days,
    )


def _checkpoints(environment: ResolvedEnvironment, section: Checkpoints) -> CheckpointsPlan | None:
    """None where the nodes are not known: rules report it."""
    group = checkpoint_group(environment, section)
    writers = checkpoint_writers(group) if group is not None else None
    if group is None or writers is None:
        return None
    return CheckpointsPlan(("storage", "checkpoints"), group.name, checkpoint_request(section), writers, section.drill)


def _lustre(environment: ResolvedEnvironment, spec: Lustre, catalog: Catalog, lock: Lock | None) -> LustrePlan:
    deployment_type = spec.deployment_type.value.upper()
    deployment = catalog.lustre_deployments.get(deployment_type)
    if deployment is None:  # the model's values and the catalog's rows are compared by a test
        raise LookupError(f"the catalog has no Lustre deployment type {deployment_type}")
    tiers = deployment.throughput_tiers
    chosen = chosen_file_system(environment, catalog)
    tier = chosen.tier if chosen is not None else spec.throughput_mbps_per_tib
    path = ("storage", "lustre")
    sync = spec.sync
    metadata, source = _metadata(spec, lock)
    tiering = tiering_plan(spec, catalog)
    existing = spec.existing
    takes_metadata = bool(deployment.metadata_iops) and tiering is None and existing is None
    return LustrePlan(
        path=path,
        zone_id=spec.availability_zone,
        capacity_gib=lustre_capacity_gib(environment, spec, catalog),
        deployment_type=deployment_type,
        takes_key=deployment.durable,
        file_system_type_version=deployment.recommended_version,
        throughput_mbps_per_tib=(tier or min(tiers)) if tiers and tiering is None else None,
        data_compression=spec.data_compression.value.upper() if tiering is None else "NONE",
        association=_association(environment, sync) if sync else None,
        metadata_mode="AUTOMATIC" if takes_metadata and metadata is LustreMetadata.AUTOMATIC else None,
        metadata_source=source,
        takes_metadata=takes_metadata,
        tiering=tiering,
        maintenance_window=spec.maintenance_window,
        existing=ExistingLustrePlan(
            existing.file_system_id, existing.dns_name, existing.mount_name, existing.security_group_id
        )
        if existing is not None
        else None,
    )


def _association(environment: ResolvedEnvironment, sync: LustreSync) -> AssociationPlan:
    storage = environment.config.storage
    bucket = (storage.checkpoint_bucket if storage is not None else None) or CheckpointBucket()
    retention = bucket_retention(environment.config, sync, bucket)
    return AssociationPlan(("storage", "lustre", "sync"), sync.file_system_path, sync.prefix, retention)


def _metadata(spec: Lustre, lock: Lock | None) -> tuple[LustreMetadata, MetadataSource]:
    """The file decides, then the lock, which records what a deployed file system has and keeps permanently."""
    if spec.metadata is not None:
        return spec.metadata, MetadataSource.FILE
    if lock is not None and lock.lustre_metadata is not None:
        return LustreMetadata(lock.lustre_metadata), MetadataSource.LOCK
    return LustreMetadata.AUTOMATIC, MetadataSource.DEFAULT
