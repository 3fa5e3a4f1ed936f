"""The last operation of a stack by its events: the resource that failed first, and those in progress."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

BEGINNINGS = ("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "DELETE_IN_PROGRESS", "IMPORT_IN_PROGRESS")
"""Statuses of a stack with which an operation begins; a rollback belongs to the operation before it."""
CONSEQUENCE = ("Resource creation cancelled", "Resource update cancelled")
"""Reasons of resources that CloudFormation stopped because another one had failed."""
REQUEST = " (RequestToken: "
"""The end of many reasons, with nothing for a reader."""


class StackFailure(Struct, frozen=True):
    """The first resource that failed in an operation: the others are mostly its consequences."""

    logical_id: str
    type: str
    reason: str
    at: datetime


def last_failure(target: Target, stack_id: str) -> StackFailure | None:
    """The cause of the last operation's failure; None where no resource of it failed.

    Reads events, the newest first, until the operation began. Source:
    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/determine-root-cause-for-stack-failures.html
    """
    found = None
    for event in _last_operation(target, stack_id):
        if _is_failure(event):
            found = _failure(event)
    return found


def in_progress(target: Target, stack_id: str) -> list[tuple[str, str]]:
    """Logical id and type of each resource that the last operation is at work on, by logical id."""
    newest: dict[str, dict[str, Any]] = {}
    for event in _last_operation(target, stack_id):
        newest.setdefault(event["LogicalResourceId"], event)
    return sorted(
        (logical_id, event["ResourceType"])
        for logical_id, event in newest.items()
        if event["ResourceStatus"].endswith("_IN_PROGRESS") and event.get("PhysicalResourceId") != stack_id
    )


def _last_operation(target: Target, stack_id: str) -> Iterator[dict[str, Any]]:
    """The events of the last operation, the newest first."""
    with translated():
        pages = client(target, "cloudformation").get_paginator("describe_stack_events").paginate(StackName=stack_id)
        for event in (event for page in pages for event in page["StackEvents"]):
            yield event
            if event.get("PhysicalResourceId") == stack_id and event["ResourceStatus"] in BEGINNINGS:
                return


def _is_failure(event: dict[str, Any]) -> bool:
    reason = event.get("ResourceStatusReason", "")
    is_of_stack = event.get("PhysicalResourceId") == event["StackId"]
    return event["ResourceStatus"].endswith("_FAILED") and not is_of_stack and not reason.startswith(CONSEQUENCE)


def _failure(event: dict[str, Any]) -> StackFailure:
    reason = event.get("ResourceStatusReason", "").partition(REQUEST)[0]
    return StackFailure(event["LogicalResourceId"], event["ResourceType"], reason, event["Timestamp"])
