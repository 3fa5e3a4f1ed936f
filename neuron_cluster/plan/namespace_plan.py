"""Namespaces for workloads, and the Pod Security labels of every namespace that the toolkit labels."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.bucket_access_plan import BucketAccessPlan

TEAM_LABEL = "neuron-cluster/team"
"""On every namespace of a team, with its name."""
DOMAIN = "pod-security.kubernetes.io"
"""https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces"""


class WorkloadNamespacePlan(Struct, frozen=True):
    """One namespace of the cluster or of a team, or ``default`` where the file does not list it."""

    path: KeyPath
    name: str
    pod_security: str
    labels: Mapping[str, str]
    is_made: bool
    """False: Kubernetes makes it; it is patched and never deleted."""
    takes_jobs: bool
    """Whether the file lists it: it has LocalQueues, and the ClusterQueues admit its jobs."""
    queue: str | None = None
    """The one queue that it has a LocalQueue for; None: one for every queue."""
    claims: tuple[str, ...] = ()
    """PersistentVolumeClaims by the storage that they are for: ``lustre``, ``efs-home``."""
    service_accounts: tuple[str, ...] = ()
    """Those that are made for workloads."""
    bucket_access: tuple[BucketAccessPlan, ...] = ()
    """Service accounts with a role for the checkpoint bucket."""
    team: str | None = None
    """The team that it belongs to; None: the whole cluster shares it."""
    is_governed: bool = False
    """Task governance of HyperPod makes it, with the compute quota of its team."""
    has_queues: bool = True
    """False: task governance of HyperPod admits jobs, and the namespace has no compute quota."""

    def may_use(self, queue: str) -> bool:
        """Whether its jobs may wait in this queue."""
        return self.takes_jobs and self.has_queues and self.queue in (None, queue)


def pod_security_labels(enforced: str, kubernetes_version: str, *, reported: str | None = None) -> dict[str, str]:
    """Labels for the three modes, with the standard's version of this Kubernetes version (``1.35``).

    ``reported`` is the level of warnings and audit annotations; None: the enforced one.
    """
    levels = {"enforce": enforced, "audit": reported or enforced, "warn": reported or enforced}
    pinned = {f"{mode}-version": f"v{kubernetes_version}" for mode in levels}
    return {f"{DOMAIN}/{name}": value for name, value in sorted((levels | pinned).items())}
