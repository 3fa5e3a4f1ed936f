"""Events of CloudTrail: who called an operation on a resource."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import LocalTarget, Target, client

REQUESTS_PER_SECOND = 2
"""The rate of LookupEvents, for an account and Region.

Source: https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_LookupEvents.html
"""
CLOUDFORMATION = "cloudformation.amazonaws.com"


class TrailEvent(Struct, frozen=True):
    """One call."""

    name: str
    at: datetime
    who: str
    text: str
    """The request and the resources, in which names and ids can be searched."""
    is_of_cloudformation: bool


def events_named(
    target: Target, name: str, since: datetime, *, wait: Callable[[float], None] = time.sleep
) -> list[TrailEvent]:
    """The newest 50 successful calls of one operation since then, the newest first.

    CloudTrail keeps events of 90 days and delivers them within 5 to 15 minutes. Source:
    https://docs.aws.amazon.com/awscloudtrail/latest/userguide/view-cloudtrail-events.html
    """
    if not isinstance(target, LocalTarget):
        wait(1 / REQUESTS_PER_SECOND)
    attribute = {"AttributeKey": "EventName", "AttributeValue": name}
    with translated():
        trail = client(target, "cloudtrail")
        rows = trail.lookup_events(LookupAttributes=[attribute], StartTime=since, MaxResults=50)["Events"]
    found = ((row, json.loads(row.get("CloudTrailEvent") or "{}")) for row in rows)
    return [_event(row, detail) for row, detail in found if not detail.get("errorCode")]


def _event(row: Mapping[str, Any], detail: Mapping[str, Any]) -> TrailEvent:
    identity = detail.get("userIdentity") or {}
    by = (identity.get("invokedBy"), detail.get("sourceIPAddress"))
    return TrailEvent(
        name=row["EventName"],
        at=row["EventTime"],
        who=str(identity.get("arn") or row.get("Username") or identity.get("invokedBy") or ""),
        text=json.dumps([detail.get("requestParameters"), row.get("Resources")], default=str),
        is_of_cloudformation=CLOUDFORMATION in by,
    )
