"""Dashboards and alarms: which metrics there will be, and their thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.config.observability import Alarms, MetricsStore, Observability
from neuron_cluster.kubernetes.quantity import GIB
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.observability_plan import AlarmPlan, MetricPlan, ObservabilityPlan, WidgetPlan
from neuron_cluster.plan.orchestrator_plan import OrchestratorPlan

PATH = ("observability",)
PANELS = {
    "core_utilization": "NeuronCore utilization",
    "device_memory": "Device memory",
    "ecc": "ECC events",
    "execution": "Failed executions",
    "latency": "Execution latency",
    "efa_traffic": "EFA traffic",
    "efa_errors": "EFA errors",
}
"""Titles of the widgets, in the order in which they are shown."""


def build_observability(
    spec: Observability | None, orchestrators: Sequence[OrchestratorPlan], catalog: Catalog
) -> ObservabilityPlan | None:
    """The CloudWatch dashboard and alarms of a Kubernetes cluster; without metrics where Prometheus has them."""
    cluster = next((each for each in orchestrators if isinstance(each, KubernetesPlan)), None)
    if spec is None or cluster is None:
        return None
    in_cloudwatch = spec.metrics is MetricsStore.CLOUDWATCH
    has_efa = _has_efa(cluster.node_groups)
    metrics = {
        row.name: _metric(row, cluster.name)
        for row in catalog.neuron_metrics
        if in_cloudwatch and (has_efa or not row.is_of_efa)
    }
    return ObservabilityPlan(
        path=PATH,
        metrics=spec.metrics.value,
        alarm_topic_arn=spec.alarm_topic_arn,
        alarms=tuple(_alarms(spec.alarms, metrics, core_memory_gib(cluster.node_groups, catalog), catalog)),
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
        row = catalog.instance_type(group.machine.instance_type)
        if row is None or not row.device_memory_gib or not row.neuron_cores:
            continue
        config = group.machine.logical_nc_config
        logical = row.logical_nc_configs.get(config) if row.logical_nc_configs and config else None
        known.append(row.device_memory_gib / (logical or row.neuron_cores))
    return max(known, default=0)


def _has_efa(groups: Sequence[NodeGroupPlan]) -> bool:
    return any(group.machine.efa_interfaces for group in groups)


def _metric(row: NeuronMetric, cluster_name: str) -> MetricPlan:
    return MetricPlan(
        name=row.name,
        title=row.title,
        namespace=row.namespace,
        dimensions=dict.fromkeys(row.dimensions, cluster_name),
        statistic=row.statistic,
        unit=row.unit,
    )


def _widgets(metrics: Mapping[str, MetricPlan], catalog: Catalog) -> Iterator[WidgetPlan]:
    for panel, title in PANELS.items():
        shown = tuple(metrics[row.name] for row in catalog.neuron_metrics if row.panel == panel and row.name in metrics)
        if shown:
            yield WidgetPlan(title, shown[0].unit, shown)


def _alarms(
    spec: Alarms, metrics: Mapping[str, MetricPlan], memory_gib: float, catalog: Catalog
) -> Iterator[AlarmPlan]:
    for row in catalog.neuron_alarms:
        threshold = _threshold(row, spec, memory_gib)
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


def _threshold(row: NeuronAlarm, spec: Alarms, memory_gib: float) -> float | None:
    """In the metric's unit; None for no alarm."""
    given = _given(row, spec)
    if given is None or (row.measured_in == "percent_of_core_memory" and not memory_gib):
        return None
    if row.measured_in == "milliseconds":
        return given / 1000
    return given * memory_gib * GIB / 100 if row.measured_in == "percent_of_core_memory" else given
