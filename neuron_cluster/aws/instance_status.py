"""Status checks of running instances, and the events that EC2 has scheduled for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client

IDS_OF_ONE_CALL = 100
"""https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceStatus.html"""
FORGOTTEN = "InvalidInstanceID.NotFound"
IMPAIRED = "impaired"
DONE = ("[Completed]", "[Canceled]")
"""How the description of an event begins that is over; EC2 lists it for up to a week more."""
CHECKS = {
    "SystemStatus": "the system status check",
    "InstanceStatus": "the instance status check",
    "AttachedEbsStatus": "the check of attached EBS volumes",
}


class ScheduledEvent(Struct, frozen=True):
    code: str
    """``instance-retirement``, ``system-reboot``, …"""
    description: str
    not_before: datetime | None


class InstanceCondition(Struct, frozen=True):
    """An instance with a failed status check or a scheduled event."""

    id: str
    failed_checks: tuple[str, ...]
    impaired_since: datetime | None
    events: tuple[ScheduledEvent, ...]


def instance_conditions(target: Target, ids: Sequence[str]) -> list[InstanceCondition]:
    """The running instances with something to report. One that EC2 has forgotten is left out."""
    rows: list[dict[str, Any]] = []
    for start in range(0, len(ids), IDS_OF_ONE_CALL):
        rows += _described(target, list(ids[start : start + IDS_OF_ONE_CALL]))
    found = (_condition(row) for row in rows)
    return [condition for condition in found if condition.failed_checks or condition.events]


def _described(target: Target, ids: list[str]) -> list[dict[str, Any]]:
    try:
        with translated():
            answer = client(target, "ec2").describe_instance_status(InstanceIds=ids)
    except AwsApiError as error:
        known = [each for each in ids if each not in error.message]
        if error.code != FORGOTTEN or len(known) == len(ids):
            raise
        return _described(target, known) if known else []
    rows: list[dict[str, Any]] = answer["InstanceStatuses"]
    return rows


def _condition(row: dict[str, Any]) -> InstanceCondition:
    checks = {name: row.get(member, {}) for member, name in CHECKS.items()}
    details = [detail for check in checks.values() for detail in check.get("Details", ())]
    events = tuple(
        ScheduledEvent(event.get("Code", ""), event.get("Description", ""), event.get("NotBefore"))
        for event in row.get("Events", ())
        if not event.get("Description", "").startswith(DONE)
    )
    return InstanceCondition(
        id=row["InstanceId"],
        failed_checks=tuple(name for name, check in checks.items() if check.get("Status") == IMPAIRED),
        impaired_since=min((each["ImpairedSince"] for each in details if "ImpairedSince" in each), default=None),
        events=events,
    )
