"""Roles for the compile cache: workloads of every namespace read it, and those of one write it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import BUCKET_KEY, CHECKPOINT_BUCKET, PodRolePlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX, READER, WRITER
from neuron_cluster.software.bucket_key_condition import through_checkpoint_bucket

OBJECTS = f"{COMPILE_CACHE_PREFIX}*"
BECAUSE = "Compiled graphs have names that the compiler makes; the prefix is that of the cache."


def compile_cache_roles(namespaces: Sequence[str], writer_namespace: str, region: str) -> tuple[PodRolePlan, ...]:
    """One for each service account that ``cache_accounts`` names."""
    return tuple(
        PodRolePlan(namespace, account, statements=_statements(account, region), because=BECAUSE)
        for namespace in namespaces
        for account in cache_accounts(namespace, writer_namespace)
    )


def cache_accounts(namespace: str, writer_namespace: str) -> Iterator[str]:
    """The service accounts of a namespace that reach the cache."""
    yield READER
    if namespace == writer_namespace:
        yield WRITER


def _statements(account: str, region: str) -> tuple[PolicyStatement, ...]:
    """No account deletes: S3 expires graphs, and `cache clean` runs with the rights of a person."""
    writes = account == WRITER
    lists = FrozenMap({"StringLike": FrozenMap({"s3:prefix": (OBJECTS,)})})
    on_objects = ("s3:GetObject", *(("s3:PutObject", "s3:AbortMultipartUpload") if writes else ()))
    on_key = ("kms:Decrypt", *(("kms:GenerateDataKey",) if writes else ()))
    return (
        PolicyStatement(actions=("s3:ListBucket",), resources=(CHECKPOINT_BUCKET,), conditions=lists),
        PolicyStatement(actions=on_objects, resources=(f"{CHECKPOINT_BUCKET}/{OBJECTS}",)),
        PolicyStatement(actions=on_key, resources=(BUCKET_KEY,), conditions=through_checkpoint_bucket(region)),
    )
