"""Plans of observability: alarms of the catalog with the file's thresholds, for what the cluster has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.plan.observability_plan import ObservabilityPlan

GIB = 1024**3
CLOUDWATCH = {"observability": {"metrics": "cloudwatch"}}
PROMETHEUS = {"observability": {"metrics": "prometheus"}}


@pytest.fixture(scope="module")
def watched(plan_of: Callable[..., Any]) -> Callable[..., ObservabilityPlan]:
    """The observability of an environment whose metrics go to CloudWatch."""

    def plan(environment: str = "train-trn1", **alarms: int) -> ObservabilityPlan:
        wish = {"metrics": "cloudwatch", "alarms": alarms}
        found: ObservabilityPlan = plan_of(environment, {"observability": wish}).observability
        return found

    return plan


def thresholds(plan: ObservabilityPlan) -> Mapping[str, float]:
    return {alarm.name: alarm.threshold for alarm in plan.alarms}


def alerts(plan: Any) -> Mapping[str, Any]:
    (chart,) = (chart for chart in plan.kubernetes.charts if chart.component == "neuron_monitor")
    values: Mapping[str, Any] = chart.values["alerts"]
    return values


def test_a_cluster_with_efa_is_watched_for_it_and_one_without_is_not(watched: Callable[..., ObservabilityPlan]) -> None:
    efa = {"efa_unresponsive_remote_events"}
    found = set(thresholds(watched("train-trn1"))) - set(thresholds(watched("dev-inf2")))
    assert {name for name in found if not name.startswith("lustre")} == efa
    shown = [metric.name for widget in watched("dev-inf2").widgets for metric in widget.metrics]
    assert not [name for name in shown if "efa" in name]


def test_memory_is_measured_by_what_a_core_has(watched: Callable[..., ObservabilityPlan]) -> None:
    """trn1.32xlarge: 512 GiB for 32 cores. trn2.48xlarge at LNC 2: 1536 GiB for 64 logical cores."""
    assert thresholds(watched("train-trn1"))["device_memory_percent"] == pytest.approx(0.95 * 16 * GIB)
    assert thresholds(watched("train-trn2"))["device_memory_percent"] == pytest.approx(0.95 * 24 * GIB)


def test_a_threshold_of_the_file_wins_and_one_without_a_default_makes_the_alarm(
    watched: Callable[..., ObservabilityPlan],
) -> None:
    plan = watched(ecc_events=10, execution_latency_ms=250, device_memory_percent=50, core_utilization_below_percent=20)
    found = thresholds(plan)
    assert found["ecc_events"] == 10
    assert found["execution_latency_ms"] == 0.25
    assert found["device_memory_percent"] == 8 * GIB
    assert found["core_utilization_below_percent"] == 20
    assert set(found) - set(thresholds(watched())) == {"execution_latency_ms", "core_utilization_below_percent"}


def test_zero_is_a_threshold(watched: Callable[..., ObservabilityPlan]) -> None:
    assert thresholds(watched(efa_dropped_packets=0))["efa_dropped_packets"] == 0


def test_with_prometheus_nothing_is_made_in_cloudwatch(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn1", PROMETHEUS)
    assert not plan.observability.has_stack
    assert "observability" not in plan.stacks


def test_the_stack_comes_last(plan_of: Callable[..., Any]) -> None:
    assert plan_of("train-trn1", CLOUDWATCH).stacks[-1] == "observability"


def test_alerts_of_prometheus_have_the_file_s_thresholds(plan_of: Callable[..., Any]) -> None:
    wish = {"metrics": "prometheus", "alarms": {"ecc_events": 3, "execution_latency_ms": 250}}
    found = alerts(plan_of("train-trn1", {"observability": wish}))
    assert found["enabled"] is True
    assert (found["uncorrectedEccEvents"], found["executionLatencySeconds"]) == (3, 0.25)
    assert (found["deviceMemoryGibPerCore"], found["deviceMemoryPercent"]) == (16.0, 95)


def test_the_section_turns_on_what_publishes_the_metrics(plan_of: Callable[..., Any]) -> None:
    addons = {addon.name for addon in plan_of("dev-inf2", CLOUDWATCH).kubernetes.addons}
    assert "amazon-cloudwatch-observability" in addons
    charts = {chart.component for chart in plan_of("dev-inf2", PROMETHEUS).kubernetes.charts}
    assert {"neuron_monitor", "kube_prometheus_stack"} <= charts
    assert "amazon-cloudwatch-observability" not in {a.name for a in plan_of("dev-inf2").kubernetes.addons}


def test_without_the_section_the_chart_keeps_its_own_thresholds(plan_of: Callable[..., Any]) -> None:
    switches = {"eks.addons.kube_prometheus_stack": True, "eks.addons.neuron_monitor": True}
    assert alerts(plan_of("dev-inf2", switches)) == {"enabled": True}


def test_the_export_lag_is_measured_by_the_planned_interval(plan_of: Callable[..., Any]) -> None:
    """Without planned checkpoints it is an hour; the file decides before both."""
    name = "lustre_export_lag_minutes"
    planned = {"storage.checkpoints.interval_minutes": "150"}
    assert thresholds(plan_of("train-trn1", planned).observability)[name] == 150 * 60
    assert thresholds(plan_of("train-trn1", {"storage.checkpoints": None}).observability)[name] == 3600
    given = {"observability": {"metrics": "cloudwatch", "alarms": {name: 20}}}
    assert thresholds(plan_of("train-trn1", given).observability)[name] == 20 * 60


def test_a_file_system_without_exports_has_no_alarm_about_them(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("train-trn1", {"storage.lustre.sync": None}).observability
    found = [name for name in thresholds(plan) if name.startswith("lustre")]
    assert found == ["lustre_free_capacity_percent"]
