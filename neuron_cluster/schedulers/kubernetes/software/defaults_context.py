"""The facts on which the defaults of the flags of components depend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chart import Chart


class DefaultsContext(Struct, frozen=True, kw_only=True):
    """The rest of the file, as far as a default depends on it."""

    has_neuron: bool
    has_efa: bool
    has_queues: bool
    has_lustre: bool
    has_efs: bool
    claims_s3_files: bool
    """Whether there is an EFS file system."""
    repairs: bool
    """Whether a node group has node repair."""
    chart_values: Mapping[str, Mapping[str, Any]]
    """``chart_values`` of the cluster's section."""
    metrics: str | None
    """``observability.metrics``; None without the section."""
    installed_otherwise: frozenset[str] = frozenset()
    """Components whose software the user installs."""


def charts_that_need(chart: str, context: DefaultsContext, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Charts that ``chart_values`` lets use another one, each with the dotted path of the value that does."""
    for name, values in context.chart_values.items():
        row = catalog.charts.get(name)
        for path in _paths_to(chart, row) if row is not None else ():
            if value_at(values, path) is True:
                yield name, path


def _paths_to(chart: str, row: Chart) -> Iterator[str]:
    yield from (need.when for need in row.needs if need.chart == chart and need.when is not None)
