"""Namespaces for workloads, as the file lists them."""

from __future__ import annotations

from neuron_cluster.config.eks import Eks, Namespace
from neuron_cluster.kubernetes_names import DEFAULT_NAMESPACE
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan, pod_security_labels

STRICTEST = "restricted"


def build_namespaces(wish: Eks) -> tuple[WorkloadNamespacePlan, ...]:
    """Those of the file in its order, then ``default`` where the file leaves it out: pods can be created there too."""
    listed = tuple(_namespace(each, position, wish.version) for position, each in enumerate(wish.namespaces))
    if any(each.name == DEFAULT_NAMESPACE for each in listed):
        return listed
    labels = pod_security_labels(STRICTEST, wish.version)
    unlisted = WorkloadNamespacePlan(
        ("eks", "namespaces"), DEFAULT_NAMESPACE, STRICTEST, labels, is_made=False, takes_jobs=False
    )
    return (*listed, unlisted)


def _namespace(wish: Namespace, position: int, kubernetes_version: str) -> WorkloadNamespacePlan:
    """Warnings and audit annotations are always those of the strictest level: they show what keeps a lower one."""
    level = wish.pod_security.value
    return WorkloadNamespacePlan(
        ("eks", "namespaces", position),
        wish.name,
        level,
        pod_security_labels(level, kubernetes_version, reported=STRICTEST),
        is_made=wish.name != DEFAULT_NAMESPACE,
        takes_jobs=True,
    )
