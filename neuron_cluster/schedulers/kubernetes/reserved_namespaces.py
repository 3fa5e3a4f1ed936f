"""Namespaces of Kubernetes and of the cluster software."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from local_kubernetes.model.names import STORAGE_NAMESPACE
from neuron_cluster.schedulers.kubernetes.software.components.registry import BUNDLED_CHARTS

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog

OF_KUBERNETES = "kube-"
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/ (avoid the prefix)."""


def owner_of_namespace(name: str, catalog: Catalog) -> str | None:
    """``Kubernetes``, ``the chart kueue``; None for a namespace that workloads can have."""
    if name.startswith(OF_KUBERNETES):
        return "Kubernetes"
    return dict(_owners(catalog)).get(name)


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
