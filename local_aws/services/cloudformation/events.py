"""CloudFormation's operations that tell what a stack holds and what happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.engine.stack import Event, Stack
from local_aws.engine.stack_engine import stack_engine
from local_aws.engine.stack_resource import StackResource
from local_aws.registry import operation
from local_aws.services.cloudformation.change_sets import named_change_set
from local_aws.services.cloudformation.stacks import named_stack

PAGE = 100


@operation("cloudformation", "DescribeStackEvents")
def describe_stack_events(call: Call) -> Mapping[str, Any]:
    """The newest first, a hundred at a time. A token is the oldest event of its page: new events shift none."""
    stack, token = named_stack(call), call.parameters.get("NextToken")
    events = list(stack.events)
    found = (position for position, event in enumerate(events) if event.event_id == token)
    end = next(found, 0) if token else len(events)
    start = max(0, end - PAGE)
    page = [_event(stack, event) for event in reversed(events[start:end])]
    return {"StackEvents": page, **({"NextToken": events[start].event_id} if start else {})}


@operation("cloudformation", "DescribeEvents")
def describe_events(call: Call) -> Mapping[str, Any]:
    """Returns no findings of validation in a change set: this local AWS finds all before there is one."""
    if "ChangeSetName" in call.parameters:
        named_change_set(call)
    return {"OperationEvents": []}


@operation("cloudformation", "ListHookResults")
def list_hook_results(call: Call) -> Mapping[str, Any]:  # noqa: ARG001 - there are no hooks, whatever is asked
    return {"HookResults": []}


@operation("cloudformation", "DescribeStackResources")
def describe_stack_resources(call: Call) -> Mapping[str, Any]:
    stack, wanted = _stack_of_resources(call), call.parameters.get("LogicalResourceId")
    found = [resource for name, resource in stack.resources.items() if wanted in {None, name}]
    return {
        "StackResources": [
            {"StackName": stack.name, "StackId": stack.stack_id, "Timestamp": each.changed_at, **_resource(stack, each)}
            for each in found
        ]
    }


@operation("cloudformation", "DescribeStackResource")
def describe_stack_resource(call: Call) -> Mapping[str, Any]:
    stack, logical_id = named_stack(call), call.parameters["LogicalResourceId"]
    found = stack.resources.get(logical_id)
    if found is None:
        raise api_error("cloudformation.no_resource", resource=logical_id, stack=stack.name)
    detail = {"StackName": stack.name, "StackId": stack.stack_id, "LastUpdatedTimestamp": found.changed_at}
    return {"StackResourceDetail": {**detail, **_resource(stack, found)}}


@operation("cloudformation", "ListStackResources")
def list_stack_resources(call: Call) -> Mapping[str, Any]:
    stack = named_stack(call)
    return {
        "StackResourceSummaries": [
            {"LastUpdatedTimestamp": each.changed_at, **_resource(stack, each)} for each in stack.resources.values()
        ]
    }


def _stack_of_resources(call: Call) -> Stack:
    """The named stack, or the one that holds the given physical resource."""
    if "StackName" in call.parameters:
        return named_stack(call)
    physical_id = call.parameters.get("PhysicalResourceId")
    for stack in stack_engine(call).table.live(call.account, call.region):
        if any(resource.physical_id == physical_id for resource in stack.resources.values()):
            return stack
    raise api_error("cloudformation.no_stack_of_resource", resource=physical_id)


def _resource(stack: Stack, found: StackResource) -> dict[str, Any]:
    drift = stack.drifts.get(found.logical_id)
    checked = {} if drift is None else {"LastCheckTimestamp": drift.checked_at}
    return {
        "LogicalResourceId": found.logical_id,
        "PhysicalResourceId": found.physical_id,
        "ResourceType": found.type,
        "ResourceStatus": found.status,
        "ResourceStatusReason": found.reason,
        "DriftInformation": {"StackResourceDriftStatus": drift.status if drift else "NOT_CHECKED", **checked},
    }


def _event(stack: Stack, event: Event) -> dict[str, Any]:
    return {
        "StackId": stack.stack_id,
        "StackName": stack.name,
        "EventId": event.event_id,
        "LogicalResourceId": event.logical_id,
        "PhysicalResourceId": event.physical_id,
        "ResourceType": event.type,
        "Timestamp": event.at.astimezone(UTC),
        "ResourceStatus": event.status,
        "ResourceStatusReason": event.reason,
        "ClientRequestToken": event.request_token,
    }
