"""Why the last operation of a stack failed, by its events."""

from __future__ import annotations

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
    with translated():
        pages = client(target, "cloudformation").get_paginator("describe_stack_events").paginate(StackName=stack_id)
        for event in (event for page in pages for event in page["StackEvents"]):
            if _is_failure(event):
                found = _failure(event)
            if event.get("PhysicalResourceId") == stack_id and event["ResourceStatus"] in BEGINNINGS:
                break
    return found


def _is_failure(event: dict[str, Any]) -> bool:
    reason = event.get("ResourceStatusReason", "")
    is_of_stack = event.get("PhysicalResourceId") == event["StackId"]
    return event["ResourceStatus"].endswith("_FAILED") and not is_of_stack and not reason.startswith(CONSEQUENCE)


def _failure(event: dict[str, Any]) -> StackFailure:
    reason = event.get("ResourceStatusReason", "").partition(REQUEST)[0]
    return StackFailure(event["LogicalResourceId"], event["ResourceType"], reason, event["Timestamp"])
