"""Metric alarms that CloudWatch rejects: periods, windows, thresholds, statistics and actions that do not fit.

Source: inferred: the code; badmintoncryer/cdk-preflight has the words, as CloudWatch answered, and
https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html the constraints
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moto.cloudwatch.models import CloudWatchBackend

from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError
from local_aws.services.cloudwatch.statistics import is_extended, is_statistic
from local_aws.services.overrides import override

MINUTE, HOUR = 60, 3600
SHORT_PERIODS = (10, 20, 30)
OF_RANGES = ("LessThanLowerOrGreaterThanUpperThreshold", "LessThanLowerThreshold", "GreaterThanUpperThreshold")
"""Comparison operators with the band of an anomaly detector."""
ACTIONS = ("AlarmActions", "OKActions", "InsufficientDataActions")
VENDORS = frozenset({"automate", "sns", "autoscaling", "ssm", "ssm-incidents", "lambda", "aiops"})
"""Services in the ARNs of actions."""
OF_METRICS = ("Namespace", "MetricName", "Dimensions", "Period", "Unit", "Statistic", "ExtendedStatistic")
"""Parameters that ``Metrics`` excludes."""


@guard("cloudwatch", "PutMetricAlarm")
def require_alarm(call: Call) -> None:
    """An alarm on a query (``EvaluationCriteria``) has none of these."""
    if "EvaluationCriteria" not in call.parameters:
        for words in _faults(call.parameters, call.region):
            raise ServiceError("ValidationError", words)


@override(CloudWatchBackend, "put_metric_alarm")
def keep_any_statistic(original: Any, _backend: Any, **given: Any) -> Any:
    """moto knows percentiles only."""
    alarm = original(**{**given, "extended_statistic": None})
    alarm.extended_statistic = given.get("extended_statistic")
    return alarm


def _faults(given: Mapping[str, Any], region: str) -> Iterator[str]:
    if not given.get("Namespace", "").isascii():
        yield "Namespace must not contain Non-ASCII characters."
    yield from _window_faults(given)
    yield from _statistic_faults(given)
    yield from _threshold_faults(given)
    yield from _metric_faults(given)
    for member in ACTIONS:
        yield from _action_faults(given.get(member, []), region, is_on_anomaly="ThresholdMetricId" in given)


def _window_faults(given: Mapping[str, Any]) -> Iterator[str]:
    """How often the alarm looks, and how far back."""
    periods = [given["Period"]] if "Period" in given else []
    periods += [each["MetricStat"]["Period"] for each in given.get("Metrics", []) if "MetricStat" in each]
    evaluations, datapoints = given.get("EvaluationPeriods", 1), given.get("DatapointsToAlarm")
    for period in periods:
        if period not in SHORT_PERIODS and period % MINUTE:
            yield "Period must be 10, 20, 30 or a multiple of 60"
        longest = limit("cloudwatch_alarm_window" if period < HOUR else "cloudwatch_alarm_window_of_hours")
        if period * evaluations > longest.require_maximum():
            yield f"EvaluationPeriods * Period must be <= {longest.require_maximum()}"
    if datapoints is not None and datapoints > evaluations:
        yield "DatapointsToAlarm must be less than or equal to EvaluationPeriods"


def _statistic_faults(given: Mapping[str, Any]) -> Iterator[str]:
    statistic, extended = given.get("Statistic"), given.get("ExtendedStatistic")
    if statistic and extended:
        yield "The parameters Statistic and ExtendedStatistic are mutually exclusive and you have specified both."
    if extended and not is_extended(extended):
        yield f"The value {extended} for parameter ExtendedStatistic is not supported."
    if statistic and given.get("EvaluateLowSampleCountPercentile"):
        yield f"Option evaluateLowSampleCountPercentile can not be applied with statistic {statistic}."


def _threshold_faults(given: Mapping[str, Any]) -> Iterator[str]:
    """A number, or the band that one of the metrics returns."""
    band, operator = given.get("ThresholdMetricId"), given.get("ComparisonOperator")
    if band is None and operator in OF_RANGES:
        yield "ComparisonOperators for ranges require ThresholdMetricId to be set"
    elif band is None and "Threshold" not in given:
        yield "PutMetricAlarm request should have valid Threshold parameter"
    ids = [each.get("Id") for each in given.get("Metrics", []) if each.get("ReturnData", True)]
    if band is not None and ids.count(band) != 1:
        yield "Metrics list must contain exactly one metric matching the ThresholdMetricId parameter"


def _metric_faults(given: Mapping[str, Any]) -> Iterator[str]:
    """One metric, or a list of metrics and expressions of which one is looked at, and with a band two."""
    metrics: Sequence[Mapping[str, Any]] = given.get("Metrics", [])
    if not metrics:
        if not given.get("MetricName"):
            yield "Either MetricName or Metrics must be specified."
        return
    for member in OF_METRICS:
        if member in given:
            yield f"The parameters Metrics and {member} are mutually exclusive and you have specified both."
    yield from _query_faults(metrics)
    wanted, returned = ("two" if "ThresholdMetricId" in given else "one"), sum(_returns_data(each) for each in metrics)
    if returned != (2 if wanted == "two" else 1):
        yield f"Exactly {wanted} element{'s' if wanted == 'two' else ''} of the metrics list should return data."


def _query_faults(metrics: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for each in metrics:
        if "Expression" in each and "MetricStat" in each:
            yield (
                "The parameters MetricDataQuery Expression and MetricStat are mutually exclusive and you have "
                "specified both."
            )
        if "SEARCH(" in each.get("Expression", "").upper().replace(" ", ""):
            yield "SEARCH is not supported on Metric Alarms."
        if "MetricStat" in each and not is_statistic(each["MetricStat"].get("Stat", "")):
            yield "Invalid metrics list"
    for member, name in (("MetricStat", "metrics"), ("Expression", "expressions")):
        maximum = limit("cloudwatch_alarm_queries").require_maximum()
        if sum(member in each for each in metrics) > maximum:
            yield f"Too many {name} in alarm, maximum is {maximum}"


def _returns_data(query: Mapping[str, Any]) -> bool:
    return bool(query.get("ReturnData", True))


def _action_faults(actions: Sequence[str], region: str, *, is_on_anomaly: bool) -> Iterator[str]:
    for action in actions:
        parts = action.split(":")
        vendor, where = ("".join(parts[number : number + 1]) for number in (2, 3))
        if vendor not in VENDORS:
            yield f"Unsupported AWS vendor {vendor}" if vendor else f"Invalid arn syntax: {action}"
        if vendor == "automate" and where != region:
            yield f"Invalid region {where} specified. Only {region} is supported."
        if vendor == "autoscaling" and is_on_anomaly:
            yield "autoscaling actions not supported when ThresholdMetricId is set"
