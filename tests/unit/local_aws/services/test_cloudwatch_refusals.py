"""Alarms and dashboards that CloudWatch rejects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
COMMON = {"AlarmName": "a", "ComparisonOperator": "GreaterThanThreshold", "EvaluationPeriods": 1, "Threshold": 1}
ALARM = {**COMMON, "Namespace": "N", "MetricName": "m", "Statistic": "Average", "Period": 60}
EXCLUSIVE = "are mutually exclusive and you have specified both."
TOPIC = "arn:aws:sns:us-west-2:111122223333:topic"


@pytest.fixture
def cloudwatch(client: Callable[[str], Any]) -> Any:
    return client("cloudwatch")


def stat(name: str = "m1", **members: Any) -> dict[str, Any]:
    metric = {"Metric": {"Namespace": "N", "MetricName": "m"}, "Period": 60, "Stat": "p90"}
    return {"Id": name, "MetricStat": {**metric, **members}}


def expression(text: str, name: str = "e1", *, returned: bool = True) -> dict[str, Any]:
    return {"Id": name, "Expression": text, "ReturnData": returned}


def without(name: str) -> dict[str, Any]:
    return {each: value for each, value in ALARM.items() if each != name}


@pytest.mark.parametrize(
    ("alarm", "text"),
    [
        ({**ALARM, "Namespace": "Größe"}, "Namespace must not contain Non-ASCII characters."),
        ({**ALARM, "Period": 45}, "Period must be 10, 20, 30 or a multiple of 60"),
        ({**ALARM, "Period": 300, "EvaluationPeriods": 289}, "EvaluationPeriods * Period must be <= 86400"),
        ({**ALARM, "Period": 3600, "EvaluationPeriods": 169}, "EvaluationPeriods * Period must be <= 604800"),
        ({**ALARM, "DatapointsToAlarm": 2}, "DatapointsToAlarm must be less than or equal to EvaluationPeriods"),
        ({**ALARM, "ExtendedStatistic": "p90"}, f"The parameters Statistic and ExtendedStatistic {EXCLUSIVE}"),
        (
            {**without("Statistic"), "ExtendedStatistic": "p101"},
            "The value p101 for parameter ExtendedStatistic is not",
        ),
        (
            {**ALARM, "EvaluateLowSampleCountPercentile": "ignore"},
            "Option evaluateLowSampleCountPercentile can not be applied with statistic Average.",
        ),
        (without("Statistic"), "Exactly one of the parameters Statistic and ExtendedStatistic"),
        (without("Threshold"), "PutMetricAlarm request should have valid Threshold parameter"),
        ({**ALARM, "ComparisonOperator": "LessThanLowerThreshold"}, "for ranges require ThresholdMetricId to be set"),
        (
            {**COMMON, "Metrics": [stat()], "ThresholdMetricId": "x"},
            "exactly one metric matching the ThresholdMetricId",
        ),
        (COMMON, "Either MetricName or Metrics must be specified."),
        ({**COMMON, "Metrics": [stat()], "Period": 60}, f"The parameters Metrics and Period {EXCLUSIVE}"),
        (
            {**COMMON, "Metrics": [{**stat(), "Expression": "m1"}]},
            f"MetricDataQuery Expression and MetricStat {EXCLUSIVE}",
        ),
        ({**COMMON, "Metrics": [expression("SEARCH('a', 'Sum', 60)")]}, "SEARCH is not supported on Metric Alarms."),
        ({**COMMON, "Metrics": [stat(Stat="Median")]}, "Invalid metrics list"),
        ({**COMMON, "Metrics": [stat(), stat("m2")]}, "Exactly one element of the metrics list should return data."),
        (
            {**COMMON, "Metrics": [stat()], "ThresholdMetricId": "m1"},
            "Exactly two elements of the metrics list should return data.",
        ),
        ({**COMMON, "Metrics": [stat(f"m{i}") for i in range(11)]}, "Too many metrics in alarm, maximum is 10"),
        (
            {**COMMON, "Metrics": [expression("1", f"e{i}") for i in range(11)]},
            "Too many expressions in alarm, maximum",
        ),
        ({**ALARM, "AlarmActions": ["arn:aws:sqs:us-west-2:111122223333:q"]}, "Unsupported AWS vendor sqs"),
        ({**ALARM, "OKActions": ["topic"]}, "Invalid arn syntax: topic"),
        (
            {**ALARM, "AlarmActions": ["arn:aws:automate:eu-west-1:ec2:stop"]},
            "Invalid region eu-west-1 specified. Only",
        ),
        ({**ALARM, "AlarmActions": [f"{TOPIC}{i}" for i in range(6)]}, "have length less than or equal to 5"),
        (
            {
                **COMMON,
                "Metrics": [stat(), expression("ANOMALY_DETECTION_BAND(m1)")],
                "ThresholdMetricId": "e1",
                "AlarmActions": ["arn:aws:autoscaling:us-west-2:111122223333:scalingPolicy:x"],
            },
            "autoscaling actions not supported when ThresholdMetricId is set",
        ),
    ],
)
def test_an_alarm_is_rejected(cloudwatch: Any, refused: Refused, alarm: dict[str, Any], text: str) -> None:
    code, message = refused(cloudwatch.put_metric_alarm, **alarm)
    assert (code, text in message) == ("ValidationError", True), message


@pytest.mark.parametrize(
    "alarm",
    [
        {**ALARM, "Period": 30, "EvaluationPeriods": 2880, "DatapointsToAlarm": 2880},
        {**ALARM, "Period": 3600, "EvaluationPeriods": 168, "AlarmActions": [TOPIC]},
        {**without("Statistic"), "ExtendedStatistic": "TM(10%:90%)"},
        {**without("Statistic"), "ExtendedStatistic": "p99.9", "EvaluateLowSampleCountPercentile": "ignore"},
        {**ALARM, "AlarmActions": ["arn:aws:automate:us-west-2:ec2:recover"]},
        {**COMMON, "Metrics": [{**stat(), "ReturnData": False}, expression("m1 / 2")]},
        {
            **{each: value for each, value in COMMON.items() if each != "Threshold"},
            "ComparisonOperator": "GreaterThanUpperThreshold",
            "Metrics": [stat(), expression("ANOMALY_DETECTION_BAND(m1)")],
            "ThresholdMetricId": "e1",
        },
    ],
)
def test_an_alarm_is_kept(cloudwatch: Any, alarm: dict[str, Any]) -> None:
    cloudwatch.put_metric_alarm(**alarm)
    (kept,) = cloudwatch.describe_alarms(AlarmNames=["a"])["MetricAlarms"]
    assert {name: kept[name] for name in ("ComparisonOperator", "EvaluationPeriods")} == {
        name: alarm[name] for name in ("ComparisonOperator", "EvaluationPeriods")
    }


def widget(kind: str = "metric", properties: Any = None, **members: Any) -> str:
    given = {"metrics": [["N", "m"]], "region": "us-west-2"} if properties is None else properties
    return json.dumps({"widgets": [{"type": kind, "properties": given, **members}]})


def metric(**properties: Any) -> str:
    return widget(properties={"metrics": [["N", "m"]], "region": "us-west-2", **properties})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{", "The field DashboardBody must be a valid JSON object"),
        ("[]", "The field DashboardBody must be a valid JSON object"),
        ("{}", "Should have required property 'widgets'"),
        ('{"widgets": {}}', "Should be array"),
        ('{"widgets": ["text"]}', "Should be object"),
        ('{"widgets": [{"type": "text"}]}', "Should have required property 'properties'"),
        ('{"widgets": [{"properties": {}}]}', "Should have required property 'type'"),
        (widget(x=-1), "Should be >= 0"),
        (widget(x=24), "Should be <= 23"),
        (widget(y="0"), "Should be integer"),
        (widget(width=25), "Should be <= 24"),
        (widget(height=1001), "Should be <= 1000"),
        (widget("text", {}), "Should have required property 'markdown'"),
        (widget("alarm", {}), "Should have required property 'alarms'"),
        (widget(properties={"metrics": [["N", "m"]]}), "should have specified a region and a data source or an alarm"),
        (widget(properties={"region": "us-west-2"}), "should have specified a region and a data source or an alarm"),
        (metric(period=45), "Should be multiple of 60"),
        (metric(stat="Median"), "Should match pattern"),
        (metric(yAxis={"left": {"min": 5, "max": 1}}), "Should be <= 1"),
    ],
)
def test_a_dashboard_is_rejected(cloudwatch: Any, refused: Refused, body: str, text: str) -> None:
    code, message = refused(cloudwatch.put_dashboard, DashboardName="d", DashboardBody=body)
    assert (code, text in message) == ("InvalidParameterInput", True), message


def test_a_dashboard_has_a_plain_name(cloudwatch: Any, refused: Refused) -> None:
    code, text = refused(cloudwatch.put_dashboard, DashboardName="a b", DashboardBody='{"widgets": []}')
    assert (code, "contains invalid characters" in text) == ("InvalidParameterInput", True)


@pytest.mark.parametrize(
    "body",
    [
        '{"widgets": []}',
        widget(x=23, y=5000, width=24, height=1000),
        metric(period=5, stat="p99", yAxis={"left": {"min": 0}, "right": {"min": 1, "max": 2}}),
        widget(properties={"region": "us-west-2", "annotations": {"alarms": ["arn"]}}),
        widget("text", {"markdown": "# Title"}),
    ],
)
def test_a_dashboard_is_kept(cloudwatch: Any, body: str) -> None:
    cloudwatch.put_dashboard(DashboardName="kept", DashboardBody=body)
    assert cloudwatch.get_dashboard(DashboardName="kept")["DashboardBody"] == body
