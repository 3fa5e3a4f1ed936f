"""Metrics and alarms: they fit each other, the file, and the chart that shows the same in Prometheus."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.config.observability import Alarms

CATALOG = load_catalog()
CHART = Path(__file__).parents[3] / "charts" / "neuron-monitor"


def test_every_kind_of_trouble_is_shown_and_watched() -> None:
    """Core utilization, device memory, ECC, execution errors and latency, EFA."""
    panels = {metric.name: metric.panel for metric in CATALOG.neuron_metrics}
    assert {panels[alarm.metric] for alarm in CATALOG.neuron_alarms} == set(panels.values()) - {"efa_traffic"}


def test_metrics_of_one_panel_have_one_unit() -> None:
    units = {metric.panel: metric.unit for metric in CATALOG.neuron_metrics}
    assert [metric.name for metric in CATALOG.neuron_metrics if metric.unit != units[metric.panel]] == []


def test_the_metric_of_every_alarm_is_known() -> None:
    assert [alarm.name for alarm in CATALOG.neuron_alarms if alarm.metric not in CATALOG.neuron_metrics] == []


def test_every_alarm_is_a_key_of_the_file_and_the_other_way_round() -> None:
    assert [alarm.name for alarm in CATALOG.neuron_alarms] == list(Alarms.model_fields)


def test_the_default_that_the_file_s_words_name_is_that_of_the_catalog() -> None:
    for alarm in CATALOG.neuron_alarms:
        wanted = "Default: no alarm" if alarm.threshold is None else f"Default: {alarm.threshold}."
        assert wanted in str(Alarms.model_fields[alarm.name].description)


def test_no_alarm_rings_without_data() -> None:
    """Before the first Neuron node there is none."""
    assert {alarm.missing_data for alarm in CATALOG.neuron_alarms} == {"notBreaching"}


def test_no_alarm_rings_over_zeros_by_default() -> None:
    """The agent publishes zeros for a node without a job; FSx publishes none."""
    of_lustre = {metric.name for metric in CATALOG.neuron_metrics if metric.is_of_lustre}
    alarms = [alarm for alarm in CATALOG.neuron_alarms if alarm.metric not in of_lustre]
    rings_below = [alarm for alarm in alarms if alarm.comparison == "LessThanThreshold"]
    assert [alarm.name for alarm in rings_below if alarm.threshold is not None] == []


def test_prometheus_shows_every_metric_that_it_has() -> None:
    dashboard = (CHART / "files" / "dashboard.json").read_text()
    named = [metric.prometheus for metric in CATALOG.neuron_metrics if metric.prometheus is not None]
    assert [name for name in named if name not in dashboard] == []


def test_the_chart_has_the_same_thresholds() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())["alerts"]
    for alarm in CATALOG.neuron_alarms:
        if alarm.chart_value is not None:
            assert values[alarm.chart_value] == (alarm.threshold or 0)


def test_every_panel_of_grafana_has_a_title_a_unit_and_a_place_of_its_own() -> None:
    panels = json.loads((CHART / "files" / "dashboard.json").read_text())["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels) == len({panel["id"] for panel in panels}) == len({p["title"] for p in panels})
    assert all(panel["fieldConfig"]["defaults"]["unit"] and panel["targets"] for panel in panels)


def test_a_row_that_contradicts_itself_says_so() -> None:
    metric = NeuronMetric(
        name="x",
        source="a/b",
        checked_on=date(2026, 11, 21),
        title="X",
        panel="ecc",
        namespace="ContainerInsights",
        dimensions=("ClusterName", "NodeName"),
        statistic="Sum",
        unit="Percent",
        prometheus=None,
    )
    assert {field for field, _ in metric.contradictions()} == {"dimensions", "statistic"}
    alarm = NeuronAlarm(
        name="x",
        source="a/b",
        checked_on=date(2026, 11, 21),
        title="X",
        metric="x",
        statistic="Sum",
        comparison="GreaterThanThreshold",
        threshold=0,
        measured_in="count",
        period_seconds=90,
        evaluation_periods=1,
        missing_data="breaching",
        because="",
        advice="",
        chart_value=None,
    )
    assert {field for field, _ in alarm.contradictions()} == {"period_seconds", "missing_data"}


def test_sums_of_storage_targets_are_taken_over_one_minute() -> None:
    """FSx publishes a value for each of them in each minute: a longer sum counts the same bytes again."""
    of_lustre = {metric.name for metric in CATALOG.neuron_metrics if metric.is_of_lustre}
    sums = [alarm for alarm in CATALOG.neuron_alarms if alarm.metric in of_lustre and alarm.statistic == "Sum"]
    assert [alarm.name for alarm in sums if alarm.period_seconds != 60] == []
    assert sums
