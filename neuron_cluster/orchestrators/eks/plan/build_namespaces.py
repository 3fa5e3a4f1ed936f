"""Namespaces for workloads, as the file lists them."""

from __future__ import annotations

from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.orchestrators.eks.config.namespaces import Namespace, NamespaceClaim
from neuron_cluster.plan.namespace_plan import WorkloadNamespacePlan, pod_security_labels
from neuron_cluster.software.compile_cache_roles import cache_accounts

STRICTEST = "restricted"


def build_namespaces(spec: Eks, *, has_lustre: bool, cache_writer: str | None) -> tuple[WorkloadNamespacePlan, ...]:
    """Those of the file in its order, then ``default`` where the file leaves it out: pods can be created there too.

    ``cache_writer`` is the one that writes to the compile cache.
    """
    listed = tuple(
        _namespace(each, position, spec.version, has_lustre=has_lustre, cache_writer=cache_writer)
        for position, each in enumerate(spec.namespaces)
    )
    if any(each.name == DEFAULT_NAMESPACE for each in listed):
        return listed
    labels = pod_security_labels(STRICTEST, spec.version)
    unlisted = WorkloadNamespacePlan(
        ("eks", "namespaces"), DEFAULT_NAMESPACE, STRICTEST, labels, is_made=False, takes_jobs=False
    )
    return (*listed, unlisted)


def _namespace(
    spec: Namespace, position: int, kubernetes_version: str, *, has_lustre: bool, cache_writer: str | None
) -> WorkloadNamespacePlan:
    """Warnings and audit annotations are always those of the strictest level: they show what keeps a lower one."""
    level = spec.pod_security.value
    of_cache = cache_accounts(spec.name, cache_writer) if cache_writer is not None else ()
    usual = [NamespaceClaim.LUSTRE] if has_lustre else []
    return WorkloadNamespacePlan(
        ("eks", "namespaces", position),
        spec.name,
        level,
        pod_security_labels(level, kubernetes_version, reported=STRICTEST),
        is_made=spec.name != DEFAULT_NAMESPACE,
        takes_jobs=True,
        queue=spec.queue,
        claims=tuple(each.value for each in (usual if spec.claims is None else spec.claims)),
        service_accounts=tuple(dict.fromkeys([*spec.service_accounts, *of_cache])),
    )
