"""Namespaces for workloads, as the file lists them."""

from __future__ import annotations

from neuron_cluster.config.eks import Eks, Namespace, NamespaceClaim
from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan, pod_security_labels

STRICTEST = "restricted"


def build_namespaces(wish: Eks, *, has_lustre: bool) -> tuple[WorkloadNamespacePlan, ...]:
    """Those of the file in its order, then ``default`` where the file leaves it out: pods can be created there too."""
    listed = tuple(
        _namespace(each, position, wish.version, has_lustre=has_lustre) for position, each in enumerate(wish.namespaces)
    )
    if any(each.name == DEFAULT_NAMESPACE for each in listed):
        return listed
    labels = pod_security_labels(STRICTEST, wish.version)
    unlisted = WorkloadNamespacePlan(
        ("eks", "namespaces"), DEFAULT_NAMESPACE, STRICTEST, labels, is_made=False, takes_jobs=False
    )
    return (*listed, unlisted)


def _namespace(wish: Namespace, position: int, kubernetes_version: str, *, has_lustre: bool) -> WorkloadNamespacePlan:
    """Warnings and audit annotations are always those of the strictest level: they show what keeps a lower one."""
    level = wish.pod_security.value
    usual = [NamespaceClaim.LUSTRE] if has_lustre else []
    return WorkloadNamespacePlan(
        ("eks", "namespaces", position),
        wish.name,
        level,
        pod_security_labels(level, kubernetes_version, reported=STRICTEST),
        is_made=wish.name != DEFAULT_NAMESPACE,
        takes_jobs=True,
        queue=wish.queue,
        claims=tuple(each.value for each in (usual if wish.claims is None else wish.claims)),
        service_accounts=tuple(wish.service_accounts),
    )
