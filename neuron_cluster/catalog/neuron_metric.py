"""Metrics of Neuron devices and EFA: names, namespaces, units."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow

Panel = Literal["core_utilization", "device_memory", "ecc", "execution", "latency", "efa_traffic", "efa_errors"]
Statistic = Literal["Average", "Maximum", "Sum"]
EFA_PANELS = ("efa_traffic", "efa_errors")


class NeuronMetric(SourcedRow, frozen=True, kw_only=True):
    """One metric, by its name in CloudWatch. ``prometheus`` is its name in Prometheus, None where there is none."""

    title: str
    panel: Panel
    """The panel of the dashboard; metrics of one panel have one unit."""
    namespace: str
    dimensions: tuple[str, ...]
    """Names of the dimensions of the value for a whole cluster."""
    statistic: Statistic
    """The statistic for a whole cluster."""
    unit: str
    """CloudWatch's name."""
    prometheus: str | None

    @property
    def is_of_efa(self) -> bool:
        return self.panel in EFA_PANELS

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.dimensions != ("ClusterName",):
            yield "dimensions", "a dashboard of one cluster has only ClusterName at synthesis"
        if self.unit == "Percent" and self.statistic == "Sum":
            yield "statistic", "a sum of percentages is not meaningful"


@functools.cache
def neuron_metrics() -> FrozenMap[str, NeuronMetric]:
    """All metrics by name."""
    return read_rows(DATA_DIRECTORY / "neuron_metrics.yaml", NeuronMetric)
