"""The observability stack: a dashboard that CloudWatch can read, alarms that do not ring by themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings

CATALOG = load_catalog()
FILE_SYSTEM = "fs-0123456789abcdef0"
TOPIC = "arn:aws:sns:us-west-2:111122223333:on-call"
ALARM, DASHBOARD = "AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard"
SEARCH = re.compile(
    r"SEARCH\('\{ContainerInsights(,\w+)+\} MetricName=\"(\w+)\" ClusterName=\"train-trn1\"', '\w+', \d+\)"
)
"""https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/search-expression-syntax.html"""
WATCHED = {"metrics": "cloudwatch", "alarm_topic_arn": TOPIC, "alarms": {"ecc_events": 5, "execution_latency_ms": 250}}

Templates = dict[str, Any]


@pytest.fixture(scope="module")
def stack(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "observability")


@pytest.fixture(scope="module")
def widgets(stack: Any) -> list[dict[str, Any]]:
    (dashboard,) = stack.find_resources(DASHBOARD).values()
    found: list[dict[str, Any]] = json.loads(_text(dashboard["Properties"]["DashboardBody"]))["widgets"]
    return found


@pytest.fixture(scope="module")
def graphs(widgets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [widget["properties"] for widget in widgets if widget["type"] == "metric"]


def _text(body: dict[str, Any]) -> str:
    """The body as CloudWatch gets it, with ``FILE_SYSTEM`` as the id that the storage stack exports."""
    separator, parts = body["Fn::Join"]
    return str(separator).join(part if isinstance(part, str) else _imported(part) for part in parts)


def _imported(value: dict[str, Any]) -> str:
    assert str(value["Fn::ImportValue"]).startswith("train-trn1-storage:ExportsOutputRefLustre")
    return FILE_SYSTEM


def alarms(stack: Any) -> dict[str, Any]:
    found = (resource["Properties"] for resource in stack.find_resources(ALARM).values())
    return {alarm["AlarmName"].removeprefix("train-trn1-"): alarm for alarm in found}


def test_it_holds_alarms_and_a_dashboard_alone(stack: Any) -> None:
    kinds = {resource["Type"] for resource in stack.to_json()["Resources"].values()}
    assert kinds == {ALARM, DASHBOARD}
    assert "Outputs" not in stack.to_json()


def test_without_a_file_system_no_stack_is_imported_from(stack_of: Callable[..., Any]) -> None:
    edits = {"storage.lustre": None, "storage.checkpoints": None}
    assert "Fn::ImportValue" not in json.dumps(stack_of("train-trn1", "observability", edits).to_json())


def test_widgets_lie_side_by_side_and_not_upon_each_other(widgets: list[dict[str, Any]]) -> None:
    """The grid is 24 wide: CloudWatch-Dashboard-Body-Structure."""
    taken: set[tuple[int, int]] = set()
    for widget in widgets:
        assert set(widget) == {"type", "x", "y", "width", "height", "properties"}
        assert widget["x"] + widget["width"] <= 24
        columns = range(widget["x"], widget["x"] + widget["width"])
        cells = {(x, y) for x in columns for y in range(widget["y"], widget["y"] + widget["height"])}
        assert not cells & taken
        taken |= cells


def test_every_widget_has_a_title_and_every_graph_a_unit(
    widgets: list[dict[str, Any]], graphs: list[dict[str, Any]]
) -> None:
    titles = [widget["properties"]["title"] for widget in widgets]
    assert len(set(titles)) == len(titles)
    units = {metric.unit for metric in CATALOG.neuron_metrics}
    assert {graph["yAxis"]["left"]["label"] for graph in graphs} == units
    assert {graph["region"] for graph in graphs} == {"us-west-2"}


def test_every_metric_of_the_catalog_is_shown_by_its_full_name(graphs: list[dict[str, Any]]) -> None:
    shown = [entry for graph in graphs for entry in graph["metrics"] if isinstance(entry[0], str)]
    assert {entry[1] for entry in shown} == {metric.name for metric in CATALOG.neuron_metrics}
    for namespace, name, *dimensions, how in shown:
        if namespace == "ContainerInsights":
            assert dimensions == ["ClusterName", "train-trn1"]
        else:
            assert (namespace, dimensions[:2]) == ("AWS/FSx", ["FileSystemId", FILE_SYSTEM])
        assert how["stat"] in ("Average", "Maximum", "Sum")
        assert how["label"] != name


def test_nodes_are_searched_for_one_panel_at_a_time(graphs: list[dict[str, Any]]) -> None:
    searches = [entry[0]["expression"] for graph in graphs for entry in graph["metrics"] if isinstance(entry[0], dict)]
    matched = [SEARCH.fullmatch(search) for search in searches]
    assert None not in matched
    panels = {metric.name: metric.panel for metric in CATALOG.neuron_metrics if not metric.is_of_lustre}
    assert sorted(panels[match[2]] for match in matched if match) == sorted(set(panels.values()))


def test_the_dashboard_names_the_alarms_of_the_stack(stack: Any, widgets: list[dict[str, Any]]) -> None:
    (overview,) = (widget["properties"] for widget in widgets if widget["type"] == "alarm")
    named = {arn.rpartition(":alarm:")[2] for arn in overview["alarms"]}
    assert named == {f"train-trn1-{name}" for name in alarms(stack)}
    assert all(arn.startswith("arn:aws:cloudwatch:us-west-2:111122223333:alarm:") for arn in overview["alarms"])


def test_an_alarm_is_silent_without_data_and_watches_the_whole_cluster(stack: Any) -> None:
    for name, alarm in alarms(stack).items():
        assert alarm["TreatMissingData"] == "notBreaching"
        assert "AlarmActions" not in alarm
        if not name.startswith("lustre"):
            assert alarm["Dimensions"] == [{"Name": "ClusterName", "Value": "train-trn1"}]
            assert alarm["Namespace"] == "ContainerInsights"


def test_alarms_of_lustre_watch_its_exports_and_free_capacity(stack: Any) -> None:
    """The export queue from the planned interval on, 137 min; a tenth of 4,800 GiB."""
    found = {name: alarm for name, alarm in alarms(stack).items() if name.startswith("lustre")}
    assert set(found) == {"lustre-export-lag-minutes", "lustre-free-capacity-percent"}
    lag, free = found["lustre-export-lag-minutes"], found["lustre-free-capacity-percent"]
    assert [dimension["Name"] for dimension in lag["Dimensions"]] == ["FileSystemId", "Publisher"]
    assert (lag["Dimensions"][1]["Value"], lag["Namespace"]) == ("AutoExport", "AWS/FSx")
    assert [(_imported(each["Dimensions"][0]["Value"])) for each in (lag, free)] == [FILE_SYSTEM] * 2
    assert (lag["MetricName"], lag["Statistic"], lag["Threshold"]) == ("AgeOfOldestQueuedMessage", "Maximum", 137 * 60)
    assert (free["MetricName"], free["ComparisonOperator"]) == ("FreeDataStorageCapacity", "LessThanThreshold")
    assert (free["Statistic"], free["Period"], free["Threshold"]) == ("Sum", 60, 480 * 2**30)


def test_the_topic_is_told_when_an_alarm_rings_and_when_it_stops(stack_of: Callable[..., Any]) -> None:
    found = alarms(stack_of("train-trn1", "observability", {"observability": WATCHED}))
    assert all(alarm["AlarmActions"] == alarm["OKActions"] == [TOPIC] for alarm in found.values())
    assert found["ecc-events"]["Threshold"] == 5
    assert found["execution-latency-ms"]["Threshold"] == 0.25


def test_an_edit_changes_no_other_stack(templates_of: Callable[..., Templates]) -> None:
    """Launch templates, node groups, cluster, software: byte for byte the same."""
    before, after = templates_of("train-trn1"), templates_of("train-trn1", {"observability": WATCHED})
    changed = [stack_key for stack_key in before if before[stack_key] != after[stack_key]]
    assert changed == ["observability"]


def test_an_edit_of_thresholds_and_topic_replaces_nothing(templates_of: Callable[..., Templates]) -> None:
    before, after = (
        {f"train-trn1-{stack_key}": template for stack_key, template in templates_of("train-trn1", edits).items()}
        for edits in ({}, {"observability": WATCHED})
    )
    assert not change_findings(before, after, CATALOG)
    retained = before["train-trn1-observability"]["Resources"]
    for logical_id, resource in retained.items():
        now = after["train-trn1-observability"]["Resources"][logical_id]
        assert (now["Type"], now["Properties"].get("AlarmName")) == (
            resource["Type"],
            resource["Properties"].get("AlarmName"),
        )


def test_without_the_section_there_is_no_stack(templates_of: Callable[..., Templates]) -> None:
    """And the CloudWatch add-on goes with it; nodes stay as they are."""
    before, without = templates_of("train-trn1"), templates_of("train-trn1", {"observability": None})
    assert set(before) - set(without) == {"observability"}
    assert [stack_key for stack_key in without if without[stack_key] != before[stack_key]] in (
        ["software"],
        ["cluster", "software"],
    )
