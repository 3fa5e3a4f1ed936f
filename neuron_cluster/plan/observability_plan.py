"""Dashboards and alarms in CloudWatch, completely decided."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class MetricPlan(Struct, frozen=True):
    """One metric of the whole cluster, or of its Lustre file system."""

    name: str
    title: str
    namespace: str
    dimensions: Mapping[str, str]
    statistic: str
    unit: str
    is_of_file_system: bool = False
    """Whether ``FileSystemId`` is one more dimension, whose value FSx gives at creation."""


class WidgetPlan(Struct, frozen=True):
    """Metrics that are shown together; they have one unit."""

    title: str
    unit: str
    metrics: tuple[MetricPlan, ...]

    @property
    def has_nodes(self) -> bool:
        """Whether the metrics are published for each node, too."""
        return not any(metric.is_of_file_system for metric in self.metrics)


class AlarmPlan(Struct, frozen=True):
    """One alarm."""

    path: KeyPath
    name: str
    """Key in ``observability.alarms``; construct ids depend on it alone."""
    title: str
    description: str
    metric: MetricPlan
    """With the statistic over one period."""
    comparison: str
    threshold: float
    """In the metric's unit."""
    period_seconds: int
    evaluation_periods: int
    missing_data: str


class ObservabilityPlan(Struct, frozen=True):
    """Where metrics are kept, and what is made beforehand: with Prometheus inside the cluster, by a chart."""

    path: KeyPath
    metrics: str
    """``cloudwatch`` or ``prometheus``."""
    alarm_topic_arn: str | None
    alarms: tuple[AlarmPlan, ...] = ()
    widgets: tuple[WidgetPlan, ...] = ()

    @property
    def has_stack(self) -> bool:
        """Whether CloudFormation makes any of it."""
        return bool(self.alarms or self.widgets)
