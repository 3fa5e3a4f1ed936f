"""Alarms about Neuron devices, EFA and Lustre: metric, periods, default threshold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.sourced_row import SourcedRow


class NeuronAlarm(SourcedRow, frozen=True, kw_only=True):
    """One alarm, by its key in ``observability.alarms``. ``because`` is the reason for the threshold."""

    title: str
    metric: str
    """Name of the ``NeuronMetric``."""
    statistic: Literal["Average", "Maximum", "Sum"]
    """Over one period."""
    comparison: Literal["GreaterThanThreshold", "LessThanThreshold"]
    threshold: int | None
    """In ``measured_in``; None: no alarm unless the file sets a value."""
    measured_in: Literal["count", "milliseconds", "minutes", "percent", "percent_of_core_memory", "percent_of_capacity"]
    period_seconds: int
    evaluation_periods: int
    missing_data: Literal["notBreaching", "breaching", "ignore", "missing"]
    because: str
    advice: str
    """What to check first when the alarm is active."""
    chart_value: str | None
    """Key below ``alerts`` of charts/neuron-monitor with the same threshold; None: there is no such alert."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.period_seconds % 60:
            yield "period_seconds", "CloudWatch requires multiples of a minute for metrics of this resolution"
        if self.missing_data == "breaching":
            yield "missing_data", "without a Neuron node there is no data: the alarm would ring before the first job"
