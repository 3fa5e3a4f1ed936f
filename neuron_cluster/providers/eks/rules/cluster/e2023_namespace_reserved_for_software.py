"""Workload namespaces that belong to Kubernetes or to the cluster software."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.providers.eks.reserved_namespaces import OF_KUBERNETES, owner_of_namespace
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NamespaceReservedForSoftware(ConfigRule):
    """A workload namespace is not a namespace of Kubernetes or of the cluster software (`eks.namespaces`).

    Without this check two resources of the stack apply the same namespace with different Pod Security levels, and
    Kubernetes rejects the software in it, such as drivers that access the host; and Kueue does not manage its jobs.
    """

    id = "E2023"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            owner = owner_of_namespace(namespace.name, catalog)
            if owner is not None:
                yield Violation(
                    (*each.path, "name"),
                    f"{namespace.name} is the namespace of {owner}",
                    f"use another name, such as {namespace.name.removeprefix(OF_KUBERNETES)}-jobs",
                )
