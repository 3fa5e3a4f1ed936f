"""Roles for the compile cache: workloads of every namespace read it, and those of one write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import BUCKET_KEY, CHECKPOINT_BUCKET, PodRolePlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, READER, WRITER
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.schedulers.kubernetes.software.bucket_key_condition import through_checkpoint_bucket

OBJECTS = f"{COMPILE_CACHE_PREFIX}*"
BECAUSE = "Compiled graphs have names that the compiler makes; the prefix is that of the cache."


def compile_cache_roles(
    namespaces: Sequence[WorkloadNamespacePlan], writer_namespace: str, region: str
) -> tuple[PodRolePlan, ...]:
    """One for each service account that ``cache_accounts`` names.

    The writer compiles models, so it reads what another role of its namespace reads: the prefix of the namespace.
    """
    return tuple(
        PodRolePlan(
            namespace.name, account, statements=tuple(_statements(account, _model_prefixes(namespace), region)),
            because=BECAUSE,
        )
        for namespace in namespaces
        for account in cache_accounts(namespace.name, writer_namespace)
    )  # fmt: skip


def _model_prefixes(namespace: WorkloadNamespacePlan) -> tuple[str, ...]:
    """The prefix of the namespace, where ``bucket_access`` gives one of its accounts all of it; else none."""
    return tuple(dict.fromkeys(each.prefix for each in namespace.bucket_access if not each.is_of_job))


def cache_accounts(namespace: str, writer_namespace: str) -> Iterator[str]:
    """The service accounts of a namespace that reach the cache."""
    yield READER
    if namespace == writer_namespace:
        yield WRITER


def _statements(account: str, models: Sequence[str], region: str) -> Iterator[PolicyStatement]:
    """No account deletes: S3 expires graphs, and `cache clean` runs with the rights of a person."""
    writes = account == WRITER
    read = tuple(f"{prefix}*" for prefix in models) if writes else ()
    lists = FrozenMap({"StringLike": FrozenMap({"s3:prefix": (OBJECTS, *read)})})
    on_objects = ("s3:GetObject", *(("s3:PutObject", "s3:AbortMultipartUpload") if writes else ()))
    on_key = ("kms:Decrypt", *(("kms:GenerateDataKey",) if writes else ()))
    yield PolicyStatement(actions=("s3:ListBucket",), resources=(CHECKPOINT_BUCKET,), conditions=lists)
    yield PolicyStatement(actions=on_objects, resources=(f"{CHECKPOINT_BUCKET}/{OBJECTS}",))
    if read:
        objects = tuple(f"{CHECKPOINT_BUCKET}/{each}" for each in read)
        yield PolicyStatement(actions=("s3:GetObject",), resources=objects)
    yield PolicyStatement(actions=on_key, resources=(BUCKET_KEY,), conditions=through_checkpoint_bucket(region))
