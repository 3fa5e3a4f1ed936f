"""Metric alarms: windows and statistics that CloudWatch rejects; any extended statistic is kept."""

from __future__ import annotations

import re
from typing import Any

from moto.cloudwatch.models import CloudWatchBackend

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.overrides import override

NAMED = frozenset({"SampleCount", "Average", "Sum", "Minimum", "Maximum", "IQM"})
"""Statistics that have a name of their own.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
"""
HIGHEST = 100
PERCENTILE = re.compile(r"p(\d{1,3}(?:\.\d+)?)")
TRIMMED = re.compile(r"(?:tm|wm|tc|ts)(\d{1,3}(?:\.\d+)?)", re.IGNORECASE)
RANGE = re.compile(r"(?:TM|WM|TC|TS|PR)\([\d.%]*:[\d.%]*\)", re.IGNORECASE)


def is_percentile(name: str) -> bool:
    found = PERCENTILE.fullmatch(name)
    return found is not None and float(found[1]) <= HIGHEST


def is_extended(name: str) -> bool:
    """A percentile, a trimmed statistic or the interquartile mean: what ``ExtendedStatistic`` takes."""
    trimmed = TRIMMED.fullmatch(name)
    fits = trimmed is not None and float(trimmed[1]) <= HIGHEST
    return name == "IQM" or is_percentile(name) or fits or RANGE.fullmatch(name) is not None


def is_statistic(name: str) -> bool:
    return name in NAMED or is_extended(name)


MINUTE, HOUR = 60, 3600
SHORT_PERIODS = (10, 20, 30)


@guard("cloudwatch", "PutMetricAlarm")
def require_alarm(call: Call) -> None:
    """An alarm on a query (``EvaluationCriteria``) has none of these."""
    given = call.parameters
    if "EvaluationCriteria" in given:
        return
    extended = given.get("ExtendedStatistic")
    stats = [each["MetricStat"] for each in given.get("Metrics", []) if "MetricStat" in each]
    for period in (each["Period"] for each in (given, *stats) if "Period" in each):
        _require_window(period, given.get("EvaluationPeriods", 1))
    if extended and not is_extended(extended):
        raise api_error("cloudwatch.alarm_extended_statistic", extended=extended)
    if not all(is_statistic(each.get("Stat", "")) for each in stats):
        raise api_error("cloudwatch.alarm_metric_statistic")


def _require_window(period: int, evaluations: int) -> None:
    """How often the alarm looks, and how far back."""
    if period not in SHORT_PERIODS and period % MINUTE:
        raise api_error("cloudwatch.alarm_period")
    longest = limit("cloudwatch_alarm_window" if period < HOUR else "cloudwatch_alarm_window_of_hours")
    if period * evaluations > longest.require_maximum():
        raise api_error("cloudwatch.alarm_window", maximum=longest.require_maximum())


@override(CloudWatchBackend, "put_metric_alarm")
def keep_any_statistic(original: Any, _backend: Any, **given: Any) -> Any:
    """moto knows percentiles only."""
    alarm = original(**{**given, "extended_statistic": None})
    alarm.extended_statistic = given.get("extended_statistic")
    return alarm


@override(CloudWatchBackend, "delete_alarms")
def forget_tags_of_alarms(original: Any, backend: Any, alarm_names: list[str]) -> Any:
    arns = [backend.alarms[name].alarm_arn for name in alarm_names if name in backend.alarms]
    answer = original(alarm_names)
    for arn in arns:
        backend.tagger.delete_all_tags_for_resource(arn)
    return answer
