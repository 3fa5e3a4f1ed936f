"""Where a team stores data: claims with their paths in pods, and prefixes of the checkpoint bucket."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.plan.bucket_access_plan import SHARED_PREFIXES
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan
from neuron_cluster.schedulers.kubernetes.software.dataset_volumes import DATASETS_CLAIM
from neuron_cluster.schedulers.kubernetes.software.lustre_folders import namespace_folder
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.team_pages.own_jobs import Mount
from neuron_cluster.schedulers.kubernetes.team_pages.starter_jobs import shared_claim
from neuron_cluster.schedulers.kubernetes.workloads.storage import environment_claims, mirrored_folder

SHARED_PATH, DATA_PATH, OTHER_PATHS = "/checkpoints", "/data", "/claims"
"""Where pods mount the claim of the starter jobs, data sets (both as neuron-training does), and other claims."""


class ClaimAccess(Struct, frozen=True):
    """A claim of one namespace."""

    namespace: str
    mount: Mount


class PrefixAccess(Struct, frozen=True):
    """The access of the role of one service account to the checkpoint bucket."""

    namespace: str
    service_account: str
    prefix: str
    writes: bool


def claims_of(plan: ClusterPlan, cluster: KubernetesPlan, namespace: str) -> tuple[ClaimAccess, ...]:
    """Returns the claims by name, that of the starter jobs first."""
    shared = shared_claim(cluster, namespace)
    writable = {
        name for home, name in environment_claims(cluster, access_modes=("ReadWriteMany",)) if home == namespace
    }
    names = sorted(name for home, name in environment_claims(cluster) if home == namespace)
    ordered = sorted(names, key=lambda name: name != shared)
    return tuple(ClaimAccess(namespace, _mount(plan, namespace, name, shared, name in writable)) for name in ordered)


def _mount(plan: ClusterPlan, namespace: str, name: str, shared: str | None, is_writable: bool) -> Mount:
    if name == LUSTRE_CLAIM:
        folder = namespace_folder(mirrored_folder(plan) or "", namespace)
        return Mount(name, SHARED_PATH, folder)
    path = SHARED_PATH if name == shared else DATA_PATH if name == DATASETS_CLAIM else f"{OTHER_PATHS}/{name}"
    return Mount(name, path, "" if is_writable else None)


def prefixes_of(namespaces: tuple[WorkloadNamespacePlan, ...]) -> Iterator[PrefixAccess]:
    """Yields the prefix of each service account, then the prefixes that it reads too."""
    for namespace in namespaces:
        for access in namespace.bucket_access:
            yield PrefixAccess(namespace.name, access.service_account, access.prefix, access.writes)
            for prefix in SHARED_PREFIXES:
                yield PrefixAccess(namespace.name, access.service_account, prefix, writes=False)
