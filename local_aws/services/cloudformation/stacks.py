"""CloudFormation's operations on stacks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.engine.request import wrong_state
from local_aws.engine.signals import signal_resource
from local_aws.engine.stack import Output, Stack
from local_aws.engine.stack_engine import stack_engine
from local_aws.registry import operation


@operation("cloudformation", "CreateStack")
def create_stack(call: Call) -> Mapping[str, Any]:
    policy = _given_policy(call)
    stack = stack_engine(call).create_stack(call.account, call.region, call.parameters)
    stack.policy = policy
    return _started(call, stack)


@operation("cloudformation", "UpdateStack")
def update_stack(call: Call) -> Mapping[str, Any]:
    policy = _given_policy(call)
    stack = stack_engine(call).update_stack(call.account, call.region, call.parameters)
    stack.policy = policy or stack.policy
    return _started(call, stack)


@operation("cloudformation", "DeleteStack")
def delete_stack(call: Call) -> Mapping[str, Any]:
    """A stack that is not there is deleted already."""
    stack = stack_engine(call).table.find(call.account, call.region, call.parameters["StackName"])
    if stack is not None:
        stack_engine(call).delete_stack(stack, call.parameters)
        stack_engine(call).linger(stack)
    return {}


@operation("cloudformation", "CancelUpdateStack")
def cancel_update_stack(call: Call) -> Mapping[str, Any]:
    stack = named_stack(call)
    stack_engine(call).cancel_update(stack, call.parameters)
    stack_engine(call).linger(stack)
    return {}


@operation("cloudformation", "RollbackStack")
def rollback_stack(call: Call) -> Mapping[str, Any]:
    stack = named_stack(call)
    stack_engine(call).roll_back_stack(stack, call.parameters)
    return _started(call, stack)


@operation("cloudformation", "ContinueUpdateRollback")
def continue_update_rollback(call: Call) -> Mapping[str, Any]:
    """Takes the way back once more, past resources that the caller wants left as they are."""
    stack = named_stack(call)
    if stack.status != "UPDATE_ROLLBACK_FAILED":
        raise wrong_state(stack, "continue rollback")
    for name in call.parameters.get("ResourcesToSkip", ()):
        resource = stack.resources.get(name)
        if resource is None or resource.status != "UPDATE_FAILED":
            raise api_error("cloudformation.skipped_resource", resource=name)
    stack_engine(call).roll_back_stack(stack, call.parameters)
    stack_engine(call).linger(stack)
    return {}


@operation("cloudformation", "UpdateTerminationProtection")
def update_termination_protection(call: Call) -> Mapping[str, Any]:
    stack = named_stack(call)
    stack.termination_protection = call.parameters["EnableTerminationProtection"]
    return {"StackId": stack.stack_id}


@operation("cloudformation", "DescribeStacks")
def describe_stacks(call: Call) -> Mapping[str, Any]:
    """Without a name all live ones."""
    if "StackName" in call.parameters:
        return {"Stacks": [described(named_stack(call))]}
    return {"Stacks": [described(stack) for stack in stack_engine(call).table.live(call.account, call.region)]}


@operation("cloudformation", "ListStacks")
def list_stacks(call: Call) -> Mapping[str, Any]:
    """Deleted ones too."""
    wanted = call.parameters.get("StackStatusFilter")
    stacks = stack_engine(call).table.all(call.account, call.region)
    return {"StackSummaries": [_summary(stack) for stack in stacks if not wanted or stack.status in wanted]}


@operation("cloudformation", "ListExports")
def list_exports(call: Call) -> Mapping[str, Any]:
    exports = stack_engine(call).table.exports(call.account, call.region)
    return {
        "Exports": [
            {"ExportingStackId": stack.stack_id, "Name": name, "Value": output.value}
            for name, (stack, output) in sorted(exports.items())
        ]
    }


@operation("cloudformation", "ListImports")
def list_imports(call: Call) -> Mapping[str, Any]:
    name = call.parameters["ExportName"]
    exports = stack_engine(call).table.exports(call.account, call.region)
    importers = stack_engine(call).table.importers(exports[name][0], name) if name in exports else []
    if not importers:
        raise api_error("cloudformation.no_import", ExportName=name)
    return {"Imports": importers}


@operation("cloudformation", "GetStackPolicy")
def get_stack_policy(call: Call) -> Mapping[str, Any]:
    policy = named_stack(call).policy
    return {} if policy is None else {"StackPolicyBody": policy}


@operation("cloudformation", "SetStackPolicy")
def set_stack_policy(call: Call) -> Mapping[str, Any]:
    """Kept and given back, not enforced."""
    policy = _given_policy(call)
    named_stack(call).policy = policy
    return {}


def _given_policy(call: Call) -> str | None:
    policy: str | None = call.parameters.get("StackPolicyBody")
    if policy is not None and not _is_object(policy):
        raise api_error("cloudformation.stack_policy")
    return policy


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _started(call: Call, stack: Stack) -> Mapping[str, Any]:
    stack_engine(call).linger(stack)
    return {"StackId": stack.stack_id}


def named_stack(call: Call) -> Stack:
    """The stack of the request's ``StackName``. Raises ServiceError when there is none."""
    return stack_engine(call).table.get(call.account, call.region, call.parameters["StackName"])


def described(stack: Stack) -> dict[str, Any]:
    """The form of DescribeStacks."""
    revision = stack.visible_revision
    return {
        **_summary(stack),
        "ChangeSetId": stack.change_set_id,
        "Description": revision.template.description if revision else None,
        "Parameters": [parameter.described() for parameter in revision.parameters.values()] if revision else [],
        "RollbackConfiguration": dict(revision.rollback_configuration) if revision else {},
        "DisableRollback": stack.disable_rollback,
        "NotificationARNs": list(revision.notification_arns) if revision else [],
        "Capabilities": list(revision.capabilities) if revision else [],
        "Outputs": [_output(output) for output in stack.outputs],
        "RoleARN": revision.role_arn if revision else None,
        "Tags": [{"Key": key, "Value": value} for key, value in revision.tags.items()] if revision else [],
        "EnableTerminationProtection": stack.termination_protection,
    }


def _output(output: Output) -> dict[str, Any]:
    return {
        "OutputKey": output.key,
        "OutputValue": output.value,
        "Description": output.description,
        "ExportName": output.export_name,
    }


def _summary(stack: Stack) -> dict[str, Any]:
    checked = {} if stack.drift_checked_at is None else {"LastCheckTimestamp": stack.drift_checked_at}
    return {
        "StackId": stack.stack_id,
        "StackName": stack.name,
        "TemplateDescription": stack.visible_revision.template.description if stack.visible_revision else None,
        "CreationTime": stack.created_at,
        "LastUpdatedTime": stack.updated_at,
        "DeletionTime": stack.deleted_at,
        "StackStatus": stack.status,
        "StackStatusReason": stack.reason,
        "DriftInformation": {"StackDriftStatus": stack.drift_status, **checked},
    }


@operation("cloudformation", "SignalResource")
def signal(call: Call) -> Mapping[str, Any]:
    signal_resource(stack_engine(call).table, named_stack(call), call.parameters)
    return {}
