"""Stacks: their state, templates, events and resources."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Any

from botocore.exceptions import WaiterError
from msgspec import Struct

from neuron_cluster.aws.errors import AwsApiError, translated
from neuron_cluster.aws.session import Target, client
from neuron_cluster.errors import ToolkitError

LOOK_SECONDS, LOOKS = 0.05, 1200
"""Polling interval and number of polls of a stack. For the local AWS: AWS limits such calls."""

ABSENT = "ValidationError"
"""CloudFormation's error code for a stack that does not exist."""


class Stack(Struct, frozen=True):
    """One stack that exists."""

    id: str
    name: str
    status: str
    reason: str
    is_protected: bool
    """Termination protection."""
    description: str = ""
    created: datetime | None = None
    updated: datetime | None = None
    """When an update of it began last; None for one that was never updated."""


class StackEvent(Struct, frozen=True):
    """One step of one resource, or of the stack itself."""

    id: str
    at: datetime
    logical_id: str
    type: str
    status: str
    reason: str


class StackResource(Struct, frozen=True):
    """One resource of a stack."""

    logical_id: str
    physical_id: str
    type: str
    status: str


def stack(target: Target, name: str) -> Stack | None:
    """The stack of this name; None when there is none or it is deleted."""
    found = _described(target, name)
    return _stack(found) if found is not None else None


def stack_outputs(target: Target, name: str) -> dict[str, str] | None:
    """Outputs of the stack of this name by key; None when there is none or it is deleted."""
    found = _described(target, name)
    if found is None:
        return None
    return {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}


def _described(target: Target, name: str) -> Mapping[str, Any] | None:
    with translated():
        try:
            found: Mapping[str, Any] = client(target, "cloudformation").describe_stacks(StackName=name)["Stacks"][0]
        except client(target, "cloudformation").exceptions.ClientError as error:
            if _is_absence(error):
                return None
            raise
    return None if found["StackStatus"] == "DELETE_COMPLETE" else found


def stacks(target: Target) -> list[Stack]:
    """Every stack of the account and Region that exists."""
    return [_stack(row) for row in _pages(target, "describe_stacks", "Stacks")]


def stacks_named(target: Target, names: Collection[str]) -> dict[str, Stack]:
    """Returns the stacks that exist, by name, in the order given. One call for all: CloudFormation limits calls."""
    found = {each.name: each for each in stacks(target)} if names else {}
    return {name: found[name] for name in names if name in found}


def _stack(row: Mapping[str, Any]) -> Stack:
    return Stack(
        id=row["StackId"],
        name=row["StackName"],
        status=row["StackStatus"],
        reason=row.get("StackStatusReason", ""),
        is_protected=bool(row.get("EnableTerminationProtection", False)),
        description=row.get("Description", ""),
        created=row["CreationTime"],
        updated=row.get("LastUpdatedTime"),
    )


def deletions(target: Target, names: Collection[str]) -> dict[str, datetime]:
    """When a stack of each name was deleted last, as far as CloudFormation remembers: for 90 days.

    Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
    """
    found: dict[str, datetime] = {}
    rows = _pages(target, "list_stacks", "StackSummaries", StackStatusFilter=["DELETE_COMPLETE"]) if names else ()
    for row in rows:
        name, at = row["StackName"], row.get("DeletionTime")
        if name in names and at is not None:
            found[name] = max(at, found.get(name, at))
    return found


def resources(target: Target, name: str) -> list[StackResource]:
    """The resources of a stack without deleted ones; empty for a stack that has just been deleted."""
    try:
        rows = list(_pages(target, "list_stack_resources", "StackResourceSummaries", StackName=name))
    except AwsApiError as error:
        if error.code != ABSENT:
            raise
        return []
    return [
        StackResource(
            row["LogicalResourceId"], row.get("PhysicalResourceId", ""), row["ResourceType"], row["ResourceStatus"]
        )
        for row in rows
        if row["ResourceStatus"] != "DELETE_COMPLETE"
    ]


def stack_with(target: Target, physical_id: str) -> str | None:
    """Name of the stack that has this resource; None for a resource that none has, or that a deleted one kept."""
    try:
        with translated():
            found = client(target, "cloudformation").describe_stack_resources(PhysicalResourceId=physical_id)
    except AwsApiError as error:
        if error.code != ABSENT:
            raise
        return None
    rows = [row for row in found["StackResources"] if row.get("PhysicalResourceId") == physical_id]
    held = [row["StackName"] for row in rows if not row["ResourceStatus"].startswith("DELETE_")]
    return next(iter(held), None)


def template(target: Target, name: str) -> dict[str, Any] | None:
    """The template of a stack's last deployment, unprocessed; None for a stack that has just been deleted."""
    try:
        with translated():
            found = client(target, "cloudformation").get_template(StackName=name, TemplateStage="Original")
    except AwsApiError as error:
        if error.code != ABSENT:
            raise
        return None
    body = found["TemplateBody"]
    if not isinstance(body, dict):  # boto3 reads JSON, which is what CDK writes
        message = f"the deployed template of the stack {name} is not JSON"
        raise ToolkitError(message, hint="another tool created this stack; rename the environment and its file")
    return dict(body)


def newest_event(target: Target, stack_id: str) -> str | None:
    """Id of the last event of a stack."""
    return next((event.id for event in _newest_first(target, stack_id)), None)


def events_after(target: Target, stack_id: str, event_id: str | None) -> list[StackEvent]:
    """The events of a stack after that one (None: all), the oldest first."""
    found: list[StackEvent] = []
    for event in _newest_first(target, stack_id):
        if event.id == event_id:
            break
        found.append(event)
    return found[::-1]


def create_stack(target: Target, name: str, body: str, parameters: Mapping[str, str]) -> None:
    """Creates a stack with IAM roles on the local AWS, and waits; for one that another command has begun, waits alone.

    Raises ``ToolkitError`` with the failed events.
    """
    cloudformation = client(target, "cloudformation")
    with translated():
        with contextlib.suppress(cloudformation.exceptions.AlreadyExistsException):
            cloudformation.create_stack(
                StackName=name,
                TemplateBody=body,
                Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
                Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
                RetainExceptOnCreate=True,  # a retained bucket would prevent the next creation
            )
        try:
            waiter = cloudformation.get_waiter("stack_create_complete")
            waiter.wait(StackName=name, WaiterConfig={"Delay": LOOK_SECONDS, "MaxAttempts": LOOKS})
        except WaiterError as error:
            failed = [event for event in events_after(target, name, None) if event.status.endswith("_FAILED")]
            reasons = [f"  {event.logical_id} ({event.type}): {event.reason}" for event in failed]
            raise ToolkitError("\n".join([f"the stack {name} could not be created", *reasons])) from error


def delete_stack(target: Target, name: str) -> None:
    """Starts the deletion of a stack with its own role."""
    with translated():
        client(target, "cloudformation").delete_stack(StackName=name)


def delete_failed_stack(target: Target, name: str) -> None:
    """Deletes a stack of the local AWS whose creation failed, and waits. Raises ``ToolkitError`` when that fails."""
    delete_stack(target, name)
    with translated():
        try:
            waiter = client(target, "cloudformation").get_waiter("stack_delete_complete")
            waiter.wait(StackName=name, WaiterConfig={"Delay": LOOK_SECONDS, "MaxAttempts": LOOKS})
        except WaiterError as error:
            raise ToolkitError(f"the stack {name}, whose creation failed, could not be deleted") from error


def continue_update_rollback(target: Target, name: str) -> None:
    """Continues the failed rollback of a stack."""
    with translated():
        client(target, "cloudformation").continue_update_rollback(StackName=name)


def set_termination_protection(target: Target, name: str, *, on: bool) -> None:
    with translated():
        client(target, "cloudformation").update_termination_protection(StackName=name, EnableTerminationProtection=on)


def _newest_first(target: Target, stack_id: str) -> Iterator[StackEvent]:
    try:
        for row in _pages(target, "describe_stack_events", "StackEvents", StackName=stack_id):
            yield StackEvent(
                id=row["EventId"],
                at=row["Timestamp"],
                logical_id=row["LogicalResourceId"],
                type=row["ResourceType"],
                status=row["ResourceStatus"],
                reason=row.get("ResourceStatusReason", ""),
            )
    except AwsApiError as error:
        if error.code != ABSENT:
            raise


def _pages(target: Target, operation: str, key: str, **arguments: Any) -> Iterator[dict[str, Any]]:
    with translated():
        for page in client(target, "cloudformation").get_paginator(operation).paginate(**arguments):
            yield from page[key]


def _is_absence(error: Any) -> bool:
    answer = error.response["Error"]
    return answer["Code"] == "ValidationError" and "does not exist" in answer["Message"]
