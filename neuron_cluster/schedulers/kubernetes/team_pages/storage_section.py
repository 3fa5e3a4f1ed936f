"""Claims, paths and prefixes of a team, for its page."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.pages.document import Paragraph, Section
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.schedulers.kubernetes.team_pages.team_storage import ClaimAccess, claims_of, prefixes_of
from neuron_cluster.table import Table


def storage_section(
    plan: ClusterPlan, cluster: KubernetesPlan, namespaces: tuple[WorkloadNamespacePlan, ...]
) -> Section:
    return Section("Storage", tuple(_blocks(plan, cluster, namespaces)))


def _blocks(
    plan: ClusterPlan, cluster: KubernetesPlan, namespaces: tuple[WorkloadNamespacePlan, ...]
) -> Iterator[Paragraph | Table]:
    claims = [claim for each in namespaces for claim in claims_of(plan, cluster, each.name)]
    if claims:
        columns = ("claim", "namespace", "path in the pods of this pack", "write to")
        yield Table("PersistentVolumeClaims", columns, tuple(map(_claim_row, claims)))
    else:
        yield Paragraph("The namespaces have no claims (`claims` of a namespace): files of a pod end with the pod.")
    prefixes = list(prefixes_of(namespaces))
    if prefixes:
        rows = tuple(
            (f"`{each.service_account}`", f"`{each.namespace}`", f"`{each.prefix}`", _rights(writes=each.writes))
            for each in prefixes
        )
        columns = ("service account", "namespace", "prefix", "rights")
        note = (
            "Pods get the role of their service account through Pod Identity. The name of the bucket is the output "
            f"`CheckpointBucket` of the stack `{plan.stack_name(STORAGE.stack_key)}`."
        )
        yield Table("Checkpoint bucket", columns, rows, note)
    elif plan.storage is not None and plan.storage.bucket is not None:
        yield Paragraph("No service account of the team has a role for the checkpoint bucket (`bucket_access`).")


def _claim_row(claim: ClaimAccess) -> tuple[str, ...]:
    written = claim.mount.written
    return (
        f"`{claim.mount.claim}`",
        f"`{claim.namespace}`",
        f"`{claim.mount.path}`",
        "nothing: read only" if written is None else f"`{written}`",
    )


def _rights(*, writes: bool) -> str:
    return "read, write, delete; not versions" if writes else "read"
