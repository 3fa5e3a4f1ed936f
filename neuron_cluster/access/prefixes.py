"""The prefixes of a checkpoint bucket that a report lists."""

from __future__ import annotations

from neuron_cluster.plan.bucket_access_plan import CHECKPOINTS, SHARED_PREFIXES, team_prefix
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX

OTHERS = ""
"""Any other prefix: the root of the bucket stands for it."""


def prefixes_of(plan: ClusterPlan) -> tuple[str, ...]:
    """Returns prefixes: of the synchronized folder, the compile cache, namespaces, S3 Files, a replication, and
    all others; with roles of namespaces also prefixes that these share."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    association = lustre.association if lustre is not None else None
    checkpoints = f"{association.prefix}/" if association is not None else CHECKPOINTS
    namespaces = plan.kubernetes.namespaces if plan.kubernetes is not None else ()
    roles = [access.prefix for namespace in namespaces for access in namespace.bucket_access]
    shared = SHARED_PREFIXES if roles else (COMPILE_CACHE_PREFIX,)
    teams = (team_prefix(namespace.name) for namespace in namespaces)
    return tuple(dict.fromkeys((checkpoints, *shared, *teams, *roles, *_of_storage(plan), OTHERS)))


def _of_storage(plan: ClusterPlan) -> tuple[str, ...]:
    storage = plan.storage
    if storage is None:
        return ()
    files = (storage.s3_files.prefix,) if storage.s3_files is not None else ()
    bucket = storage.bucket
    replication = bucket.replication if bucket is not None else None
    return (*files, *(replication.prefixes if replication is not None else ()))
