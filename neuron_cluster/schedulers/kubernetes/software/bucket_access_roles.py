"""Roles of service accounts for the prefix of their namespace in the checkpoint bucket.

One role for each service account, with the prefix written out. A single role whose policy has the session tag
kubernetes-namespace as a variable would also match namespaces of that name in other clusters of the account, unless
each statement compares the cluster too; and without session tags it would match nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.plan.addon_plan import BUCKET_KEY, CHECKPOINT_BUCKET, PodRolePlan
from neuron_cluster.plan.bucket_access_plan import SHARED_PREFIXES, BucketAccessPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.schedulers.kubernetes.software.bucket_key_condition import through_checkpoint_bucket

READS = ("s3:GetObject",)
WRITES = ("s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts")
"""DeleteObject writes a delete marker: no role deletes versions."""
BECAUSE = "Objects have names that the jobs of the namespace choose; the prefix is that of the namespace."


def bucket_access_roles(namespaces: Sequence[WorkloadNamespacePlan], region: str) -> Iterator[PodRolePlan]:
    """One for each entry of ``bucket_access``, in the order of the file."""
    for namespace in namespaces:
        for access in namespace.bucket_access:
            statements = tuple(_statements(access, region))
            yield PodRolePlan(namespace.name, access.service_account, statements=statements, because=BECAUSE)


def _statements(access: BucketAccessPlan, region: str) -> Iterator[PolicyStatement]:
    own, shared = f"{access.prefix}*", tuple(f"{prefix}*" for prefix in SHARED_PREFIXES)
    listed = FrozenMap({"StringLike": FrozenMap({"s3:prefix": (own, *shared)})})
    yield PolicyStatement(actions=("s3:ListBucket",), resources=(CHECKPOINT_BUCKET,), conditions=listed)
    yield PolicyStatement(actions=(*READS, *(WRITES if access.writes else ())), resources=(_objects(own),))
    yield PolicyStatement(actions=READS, resources=tuple(map(_objects, shared)))
    on_key = ("kms:Decrypt", *(("kms:GenerateDataKey",) if access.writes else ()))
    yield PolicyStatement(actions=on_key, resources=(BUCKET_KEY,), conditions=through_checkpoint_bucket(region))


def _objects(pattern: str) -> str:
    return f"{CHECKPOINT_BUCKET}/{pattern}"
