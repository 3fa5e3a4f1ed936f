"""CloudTrail's events, by the name of their operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.registry import operation

MOST = 50
"""Events of one page, the newest."""


@operation("cloudtrail", "LookupEvents")
def lookup_events(call: Call) -> Mapping[str, Any]:
    """Only a look-up of an EventName has events: to the CDK command, which asks otherwise, a stack's own are enough.

    Without an answer the CDK command retries for some 25 s after each failed deploy.
    """
    wanted = [each["AttributeValue"] for each in _attributes(call) if each["AttributeKey"] == "EventName"]
    since = call.parameters.get("StartTime")
    rows = reversed(list(call.table("events").values()))
    found = [row for row in rows if row["EventName"] in wanted and (since is None or row["EventTime"] >= since)]
    return {"Events": found[: int(call.parameters.get("MaxResults", MOST))]}


def _attributes(call: Call) -> list[Mapping[str, Any]]:
    return list(call.parameters.get("LookupAttributes", ()))
