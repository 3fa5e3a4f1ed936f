"""CloudFormation's operations on change sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.cloudformation.property_changes import PropertyChange
from local_aws.cloudformation.references import written_references
from local_aws.contract import Call, ServiceError
from local_aws.engine.change_set import ChangeSet, ResourceChange
from local_aws.engine.stack_engine import stack_engine
from local_aws.registry import operation
from local_aws.services.cloudformation.stacks import named_stack

KEPT = ("RollbackConfiguration", "IncludeNestedStacks", "OnStackFailure", "ImportExistingResources", "DeploymentConfig")
"""Members of the request that DescribeChangeSet only hands back."""


@operation("cloudformation", "CreateChangeSet")
def create_change_set(call: Call) -> Mapping[str, Any]:
    change_set = stack_engine(call).change_sets.create(call.account, call.region, call.parameters)
    return {"Id": change_set.change_set_id, "StackId": change_set.stack.stack_id}


@operation("cloudformation", "DescribeChangeSet")
def describe_change_set(call: Call) -> Mapping[str, Any]:
    found = named_change_set(call)
    with_values = bool(call.parameters.get("IncludePropertyValues"))
    return {
        **_summary(found),
        "Parameters": [parameter.described() for parameter in found.revision.parameters.values()],
        "NotificationARNs": list(found.revision.notification_arns),
        "Capabilities": list(found.revision.capabilities),
        "Tags": [{"Key": key, "Value": value} for key, value in found.revision.tags.items()],
        "Changes": [{"Type": "Resource", "ResourceChange": _change(each, with_values)} for each in found.changes],
        **{member: found.given[member] for member in KEPT if member in found.given},
    }


@operation("cloudformation", "ExecuteChangeSet")
def execute_change_set(call: Call) -> Mapping[str, Any]:
    change_set = named_change_set(call)
    stack_engine(call).execute_change_set(change_set, call.parameters)
    stack_engine(call).linger(change_set.stack)
    return {}


@operation("cloudformation", "DeleteChangeSet")
def delete_change_set(call: Call) -> Mapping[str, Any]:
    """One that is not there is deleted already."""
    try:
        found = named_change_set(call)
    except ServiceError as error:
        if error.code == "ChangeSetNotFound":
            return {}
        raise
    stack_engine(call).change_sets.delete(found)
    return {}


@operation("cloudformation", "ListChangeSets")
def list_change_sets(call: Call) -> Mapping[str, Any]:
    return {"Summaries": [_summary(found) for found in stack_engine(call).change_sets.of(named_stack(call))]}


def named_change_set(call: Call) -> ChangeSet:
    """The change set of the request's ``ChangeSetName`` and ``StackName``."""
    name = call.parameters["ChangeSetName"]
    return stack_engine(call).change_sets.find(call.account, call.region, name, call.parameters.get("StackName"))


def _summary(found: ChangeSet) -> dict[str, Any]:
    return {
        "ChangeSetId": found.change_set_id,
        "ChangeSetName": found.name,
        "StackId": found.stack.stack_id,
        "StackName": found.stack.name,
        "Description": found.description,
        "CreationTime": found.created_at,
        "Status": found.status,
        "StatusReason": found.reason,
        "ExecutionStatus": found.execution_status,
    }


def _change(change: ResourceChange, with_values: bool) -> dict[str, Any]:
    described: dict[str, Any] = {
        "Action": change.action,
        "LogicalResourceId": change.logical_id,
        "PhysicalResourceId": change.physical_id,
        "ResourceType": change.type,
        "Replacement": change.replacement,
        "PolicyAction": change.policy_action,
        "Scope": list(change.scope),
        "Details": [detail for each in change.properties for detail in _details(change, each, with_values)],
    }
    if with_values:
        described["BeforeContext"] = _context(change.before)
        described["AfterContext"] = _context(change.after)
    return described


def _context(properties: Mapping[str, Any] | None) -> str | None:
    return None if properties is None else json.dumps({"Properties": properties}, default=repr)


def _details(change: ResourceChange, each: PropertyChange, with_values: bool) -> Iterator[dict[str, Any]]:
    target: dict[str, Any] = {
        "Attribute": "Properties",
        "Name": each.name,
        "RequiresRecreation": "Always" if each.create_only else "Never",
    }
    if with_values:
        kind = "Add" if each.before is None else "Remove" if each.after is None else "Modify"
        target |= {
            "Path": f"/Properties/{each.name}",
            "BeforeValue": _text(each.before),
            "AfterValue": _text(each.after),
            "AttributeChangeType": kind,
        }
    if each.certain:
        yield {"Target": target, "Evaluation": "Static", "ChangeSource": "DirectModification"}
        return
    found = [(cause.name, cause.attribute) for cause in written_references(change.source.get(each.name))]
    for logical_id, attribute in dict.fromkeys(found):
        source = "ResourceAttribute" if attribute else "ResourceReference"
        cause = f"{logical_id}.{attribute}" if attribute else logical_id
        yield {"Target": target, "Evaluation": "Dynamic", "ChangeSource": source, "CausingEntity": cause}


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, default=repr)
