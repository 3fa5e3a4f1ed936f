"""Alarms of CloudWatch and the last values of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

NAMES_OF_ONE_CALL = 100
"""https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html"""
MINUTE = 60


class AlarmState(Struct, frozen=True):
    state: str
    """``OK``, ``ALARM`` or ``INSUFFICIENT_DATA``."""
    reason: str
    description: str
    since: datetime | None
    notifies: bool
    """Whether its actions are enabled."""


class MetricQuery(Struct, frozen=True):
    """One metric with its statistic."""

    namespace: str
    name: str
    dimensions: Mapping[str, str]
    statistic: str


def alarm_states(target: Target, names: Sequence[str]) -> dict[str, AlarmState]:
    """The alarms that exist, by name."""
    found = {}
    with translated():
        pages = client(target, "cloudwatch").get_paginator("describe_alarms")
        for start in range(0, len(names), NAMES_OF_ONE_CALL):
            batch = list(names[start : start + NAMES_OF_ONE_CALL])
            for row in (row for page in pages.paginate(AlarmNames=batch) for row in page["MetricAlarms"]):
                found[row["AlarmName"]] = AlarmState(
                    state=row["StateValue"],
                    reason=row.get("StateReason", ""),
                    description=row.get("AlarmDescription", ""),
                    since=row.get("StateTransitionedTimestamp") or row.get("StateUpdatedTimestamp"),
                    notifies=row.get("ActionsEnabled", True),
                )
    return found


def last_values(
    target: Target, queries: Sequence[MetricQuery], *, at: datetime, within: timedelta
) -> list[float | None]:
    """The newest value of each metric in the time before ``at``; None for one that published none."""
    asked = [
        {
            "Id": f"m{number}",
            "MetricStat": {
                "Metric": {
                    "Namespace": query.namespace,
                    "MetricName": query.name,
                    "Dimensions": [{"Name": name, "Value": value} for name, value in query.dimensions.items()],
                },
                "Period": MINUTE,
                "Stat": query.statistic,
            },
        }
        for number, query in enumerate(queries)
    ]
    values: dict[str, float] = {}
    with translated():
        pages = client(target, "cloudwatch").get_paginator("get_metric_data")
        for page in pages.paginate(
            MetricDataQueries=asked, StartTime=at - within, EndTime=at, ScanBy="TimestampDescending"
        ):
            for row in page["MetricDataResults"]:
                if row["Values"]:
                    values.setdefault(row["Id"], float(row["Values"][0]))
    return [values.get(f"m{number}") for number in range(len(queries))]
