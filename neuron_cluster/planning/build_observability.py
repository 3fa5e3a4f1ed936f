"""Dashboards and alarms: which metrics there will be, and their thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_kubernetes.model.quantity import GIB
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.config.observability import Alarms, MetricsStore, Observability
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.observability_plan import AlarmPlan, MetricPlan, ObservabilityPlan, WidgetPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.storage_plan import LustrePlan, StoragePlan

PATH = ("observability",)
EXPORT_LAG = "lustre_export_lag_minutes"
PANELS = {
    "core_utilization": "NeuronCore utilization",
    "device_memory": "Device memory",
    "ecc": "ECC events",
    "execution": "Failed executions",
    "latency": "Execution latency",
    "efa_traffic": "EFA traffic",
    "efa_errors": "EFA errors",
    "lustre_export": "Lustre: files that wait for their export",
    "lustre_capacity": "Lustre: free capacity",
    "lustre_metadata": "Lustre: metadata operations",
}
"""Titles of the widgets, in the order in which they are shown."""


class _Scale(Struct, frozen=True):
    """The whole of percentages; 0 where it is not known."""

    core_memory_gib: float
    capacity_gib: int

    def whole(self, measured_in: str) -> float | None:
        """In bytes; None for other thresholds."""
        wholes = {"percent_of_core_memory": self.core_memory_gib * GIB, "percent_of_capacity": self.capacity_gib * GIB}
        return wholes.get(measured_in)


def build_observability(
    spec: Observability | None,
    providers: Sequence[ProviderPlan],
    storage: StoragePlan | None,
    region: str,
    catalog: Catalog,
) -> ObservabilityPlan | None:
    """The CloudWatch dashboard and alarms of a Kubernetes cluster; without metrics where Prometheus has them."""
    cluster = next((each for each in providers if isinstance(each, KubernetesPlan)), None)
    if spec is None or cluster is None:
        return None
    in_cloudwatch = spec.metrics is MetricsStore.CLOUDWATCH
    has_efa = _has_efa(cluster.node_groups)
    lustre = storage.lustre if storage is not None else None
    metrics = {
        row.name: _metric(row, cluster.name)
        for row in catalog.neuron_metrics
        if in_cloudwatch and (has_efa or not row.is_of_efa) and (not row.is_of_lustre or _has_metric(lustre, row))
    }
    capacity_gib = (lustre.capacity_gib or 0) if lustre is not None else 0
    scale = _Scale(core_memory_gib(cluster.node_groups, catalog), capacity_gib)
    interval = _interval_minutes(storage, region, catalog)
    return ObservabilityPlan(
        path=PATH,
        metrics=spec.metrics.value,
        alarm_topic_arn=spec.alarm_topic_arn,
        alarms=tuple(_alarms(spec.alarms, metrics, scale, {EXPORT_LAG: interval}, catalog)),
        widgets=tuple(_widgets(metrics, catalog)),
    )


def alert_values(spec: Observability | None, groups: Sequence[NodeGroupPlan], catalog: Catalog) -> Mapping[str, Any]:
    """Thresholds of the file below ``alerts`` of charts/neuron-monitor; empty where Prometheus does not watch."""
    if spec is None or spec.metrics is not MetricsStore.PROMETHEUS:
        return {}
    values: dict[str, Any] = {"deviceMemoryGibPerCore": core_memory_gib(groups, catalog)}
    for row in catalog.neuron_alarms:
        given = _given(row, spec.alarms)
        if row.chart_value is not None and given is not None:
            values[row.chart_value] = given / 1000 if row.measured_in == "milliseconds" else given
    return values


def core_memory_gib(groups: Sequence[NodeGroupPlan], catalog: Catalog) -> float:
    """Device memory of one core as software sees it, of the Neuron type that has most; 0 where no source has it."""
    known: list[float] = []
    for group in groups:
        row = catalog.instance_types.get(group.machine.instance_type)
        if row is None or not row.device_memory_gib or not row.neuron_cores:
            continue
        config = group.machine.logical_nc_config
        logical = row.logical_nc_configs.get(config) if row.logical_nc_configs and config else None
        known.append(row.device_memory_gib / (logical or row.neuron_cores))
    return max(known, default=0)


def _has_efa(groups: Sequence[NodeGroupPlan]) -> bool:
    return any(group.machine.efa_interfaces for group in groups)


def _has_metric(lustre: LustrePlan | None, row: NeuronMetric) -> bool:
    """FSx publishes the age of the export queue of a file system with an association."""
    return lustre is not None and (lustre.association is not None or row.panel != "lustre_export")


def _interval_minutes(storage: StoragePlan | None, region: str, catalog: Catalog) -> int | None:
    """Between two checkpoints, where they are planned: then the last one is in the bucket."""
    found = checkpoint_storage(storage, region, catalog)
    return math.ceil(found.given.assessment.interval / 60) if found is not None and found.given is not None else None


def _metric(row: NeuronMetric, cluster_name: str) -> MetricPlan:
    return MetricPlan(
        name=row.name,
        title=row.title,
        namespace=row.namespace,
        dimensions=dict(row.fixed_dimensions) if row.is_of_lustre else dict.fromkeys(row.dimensions, cluster_name),
        statistic=row.statistic,
        unit=row.unit,
        is_of_file_system=row.is_of_lustre,
    )


def _widgets(metrics: Mapping[str, MetricPlan], catalog: Catalog) -> Iterator[WidgetPlan]:
    for panel, title in PANELS.items():
        shown = tuple(metrics[row.name] for row in catalog.neuron_metrics if row.panel == panel and row.name in metrics)
        if shown:
            yield WidgetPlan(title, shown[0].unit, shown)


def _alarms(
    spec: Alarms,
    metrics: Mapping[str, MetricPlan],
    scale: _Scale,
    planned: Mapping[str, int | None],
    catalog: Catalog,
) -> Iterator[AlarmPlan]:
    """``planned`` has defaults that come from the plan, by alarm."""
    for row in catalog.neuron_alarms:
        given: int | None = getattr(spec, row.name)
        default = planned.get(row.name) or row.threshold
        threshold = _threshold(row, default if given is None else given, scale)
        if row.metric in metrics and threshold is not None:
            metric = metrics[row.metric]
            yield AlarmPlan(
                path=(*PATH, "alarms", row.name),
                name=row.name,
                title=row.title,
                description=f"{row.title}. Do: {row.advice}.",
                metric=replace(metric, statistic=row.statistic),
                comparison=row.comparison,
                threshold=threshold,
                period_seconds=row.period_seconds,
                evaluation_periods=row.evaluation_periods,
                missing_data=row.missing_data,
            )


def _given(row: NeuronAlarm, spec: Alarms) -> int | None:
    given: int | None = getattr(spec, row.name)
    return row.threshold if given is None else given


def _threshold(row: NeuronAlarm, given: int | None, scale: _Scale) -> float | None:
    """In the metric's unit; None for no alarm."""
    whole = scale.whole(row.measured_in)
    if given is None or whole == 0:
        return None
    if whole is not None:
        return given * whole / 100
    return {"milliseconds": given / 1000, "minutes": given * 60}.get(row.measured_in, given)
