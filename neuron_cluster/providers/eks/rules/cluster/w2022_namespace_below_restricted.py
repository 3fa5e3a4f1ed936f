"""Namespaces below the Pod Security level restricted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.namespace import PodSecurity
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ALLOWS = {
    PodSecurity.BASELINE: "containers may run as root and gain privileges in the container",
    PodSecurity.PRIVILEGED: "users who create pods there can become root on the nodes and access other pods",
}


class NamespaceBelowRestricted(ConfigRule):
    """Workload namespaces have the Pod Security level restricted (`eks.namespaces[].pod_security`).

    All job charts of the toolkit meet this level. Only a warning: your own images may run as root.

    Without this check Kubernetes reports no error. Pods are admitted that the level restricted rejects.
    """

    id = "W2022"
    source = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            allows = ALLOWS.get(namespace.pod_security)
            if allows is not None:
                yield Violation(
                    (*each.path, "pod_security"),
                    f"{namespace.name} is {namespace.pod_security.value}: {allows}",
                    "write restricted, the default, unless a workload requires this level; keep that workload in a "
                    "namespace "
                    "of its own",
                )
