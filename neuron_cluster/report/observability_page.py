"""Alarms as a table: what rings, from which value on, and for how long it must hold."""

from __future__ import annotations

from local_kubernetes.model.quantity import GIB
from neuron_cluster.plan.observability_plan import AlarmPlan, ObservabilityPlan
from neuron_cluster.report.marks import Marks
from neuron_cluster.table import Table

NOTE = "Without data no alarm enters ALARM. {notified}"
COMPARISONS = {"GreaterThanThreshold": "more than", "LessThanThreshold": "less than"}


def observability_tables(observability: ObservabilityPlan | None, marks: Marks) -> list[Table]:
    """The alarms in CloudWatch; none where Prometheus watches, whose alerts are values of its chart."""
    if observability is None or not observability.alarms:
        return []
    topic = observability.alarm_topic_arn
    notified = f"Alarms notify {topic}." if topic else "No notifications: alarm_topic_arn is not set."
    rows = tuple(_row(alarm, marks) for alarm in observability.alarms)
    return [Table("Alarms", ("alarm", "about", "threshold", "for minutes"), rows, NOTE.format(notified=notified))]


def _row(alarm: AlarmPlan, marks: Marks) -> tuple[str, ...]:
    minutes = alarm.period_seconds * alarm.evaluation_periods // 60
    value = f"{COMPARISONS[alarm.comparison]} {_in_words(alarm)}{marks.mark(alarm.path)}"
    return (alarm.name.replace("_", "-"), alarm.title, value, f"{minutes}")


def _in_words(alarm: AlarmPlan) -> str:
    value, unit = alarm.threshold, alarm.metric.unit
    if unit == "Bytes":
        return f"{value / GIB:.1f} GiB"
    unit_text = {"Seconds": " s", "Percent": " %"}.get(unit, "")
    return f"{value:g}{unit_text}"
