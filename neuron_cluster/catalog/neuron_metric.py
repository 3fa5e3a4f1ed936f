"""Metrics of Neuron devices, EFA and Lustre: names, namespaces, units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

Panel = Literal[
    "core_utilization",
    "device_memory",
    "ecc",
    "execution",
    "latency",
    "efa_traffic",
    "efa_errors",
    "lustre_export",
    "lustre_capacity",
    "lustre_metadata",
]
Statistic = Literal["Average", "Maximum", "Sum"]
EFA_PANELS = ("efa_traffic", "efa_errors")
LUSTRE_PANELS = ("lustre_export", "lustre_capacity", "lustre_metadata")
OF_CLUSTER, OF_FILE_SYSTEM = ("ClusterName",), ("FileSystemId",)


class NeuronMetric(SourcedRow, frozen=True, kw_only=True):
    """One metric, by its name in CloudWatch. ``prometheus`` is its name in Prometheus, None where there is none."""

    title: str
    panel: Panel
    """The panel of the dashboard; metrics of one panel have one unit."""
    namespace: str
    dimensions: tuple[str, ...]
    """Names of the dimensions of the value for a whole cluster or file system."""
    fixed_dimensions: FrozenMap[str, str] = FrozenMap()
    """Further dimensions, with the same value in each environment."""
    statistic: Statistic
    """The statistic for a whole cluster or file system."""
    unit: str
    """CloudWatch's name."""
    prometheus: str | None

    @property
    def is_of_efa(self) -> bool:
        return self.panel in EFA_PANELS

    @property
    def is_of_lustre(self) -> bool:
        return self.panel in LUSTRE_PANELS

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.dimensions != (OF_FILE_SYSTEM if self.is_of_lustre else OF_CLUSTER):
            yield "dimensions", "a dashboard has only ClusterName and the FileSystemId of Lustre at synthesis"
        if self.unit == "Percent" and self.statistic == "Sum":
            yield "statistic", "a sum of percentages is not meaningful"
