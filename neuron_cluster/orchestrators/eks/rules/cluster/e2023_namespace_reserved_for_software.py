"""Workload namespaces that belong to Kubernetes or to the cluster software."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import STORAGE_NAMESPACE
from neuron_cluster.orchestrators.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.software.components.registry import BUNDLED_CHARTS

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

OF_KUBERNETES = "kube-"
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/ (avoid the prefix)."""


class NamespaceReservedForSoftware(ConfigRule):
    """A workload namespace is not a namespace of Kubernetes or of the cluster software (`eks.namespaces`).

    Without this check two resources of the stack apply the same namespace with different Pod Security levels, and
    Kubernetes rejects the software in it, such as drivers that access the host; and Kueue does not manage its jobs.
    """

    id = "E2023"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        owners = dict(_owners(catalog))
        for each in listed_namespaces(environment.config):
            namespace = each.spec
            owner = "Kubernetes" if namespace.name.startswith(OF_KUBERNETES) else owners.get(namespace.name)
            if owner is not None:
                yield Violation(
                    (*each.path, "name"),
                    f"{namespace.name} is the namespace of {owner}",
                    f"use another name, such as {namespace.name.removeprefix(OF_KUBERNETES)}-jobs",
                )


def _owners(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Namespaces of every chart and add-on that can be enabled."""
    yield STORAGE_NAMESPACE, "the Job that creates folders on storage.lustre"
    for addon in catalog.managed_addons:
        yield addon.namespace, f"the add-on {addon.name}"
    for chart in catalog.charts:
        for name in (chart.namespace, *chart.further_namespaces):
            yield name, f"the chart {chart.name}"
    for bundled_chart in BUNDLED_CHARTS.values():
        yield bundled_chart, f"the chart {bundled_chart}"
