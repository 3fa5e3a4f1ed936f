"""Alarms in the plan: every threshold is shown, with a mark where the file does not give it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.observability_page import observability_tables

LATENCY = ("observability", "alarms", "execution_latency_ms")


def test_every_alarm_has_a_row_and_defaults_are_marked(training: ClusterPlan) -> None:
    (table,) = observability_tables(training.observability, Marks(()))
    assert training.observability is not None
    assert len(table.rows) == len(training.observability.alarms)
    assert all(row[2].endswith(" *") for row in table.rows)
    assert ("device-memory-percent", "more than 15.2 GiB *") in [(row[0], row[2]) for row in table.rows]
    assert "No notifications" in table.note


def test_a_value_of_the_file_is_not_marked_and_the_topic_is_named(plan_of: Callable[..., Any]) -> None:
    topic = "arn:aws:sns:us-west-2:111122223333:on-call"
    wish = {"metrics": "cloudwatch", "alarm_topic_arn": topic, "alarms": {"execution_latency_ms": 250}}
    plan = plan_of("train-trn1", {"observability": wish})
    (table,) = observability_tables(plan.observability, Marks([LATENCY]))
    (row,) = (row for row in table.rows if row[0] == "execution-latency-ms")
    assert row[2:] == ("more than 0.25 s", "15")
    assert topic in table.note


def test_without_alarms_there_is_no_table(plan_of: Callable[..., Any]) -> None:
    assert observability_tables(None, Marks(())) == []
    in_cluster = plan_of("train-trn1", {"observability": {"metrics": "prometheus"}})
    assert observability_tables(in_cluster.observability, Marks(())) == []
