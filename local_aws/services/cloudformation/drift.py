"""CloudFormation's operations on drift: what exists, compared with what the templates ask for.

A check is done before its id is given, so that no caller has to wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.cloudformation.values import as_text
from local_aws.contract import Call
from local_aws.engine.drift import Detection, Services, detect_stack_drift, resource_drift
from local_aws.engine.resource_drift import ResourceDrift
from local_aws.engine.stack import Stack
from local_aws.engine.stack_engine import stack_engine
from local_aws.registry import operation
from local_aws.resource_types.property_differences import PropertyDifference
from local_aws.services.cloudformation.stacks import named_stack
from local_aws.services.paging import listing


@operation("cloudformation", "DetectStackDrift")
def detect_drift_of_stack(call: Call) -> Mapping[str, Any]:
    stack, only = _settled_stack(call), call.parameters.get("LogicalResourceIds", [])
    for name in only:
        _raise_unknown(stack, name)
    detection = detect_stack_drift(stack_engine(call).engine_context, stack, only)
    call.table("detections")[detection.detection_id] = detection
    stack.drifts = {**stack.drifts, **detection.drifts}
    stack.drift_checked_at = detection.at
    return {"StackDriftDetectionId": detection.detection_id}


@operation("cloudformation", "DescribeStackDriftDetectionStatus")
def describe_detection(call: Call) -> Mapping[str, Any]:
    detection_id = call.parameters["StackDriftDetectionId"]
    found: Detection | None = call.table("detections").get(detection_id)
    if found is None:
        raise api_error("cloudformation.no_drift_detection", StackDriftDetectionId=detection_id)
    return {
        "StackId": found.stack_id,
        "StackDriftDetectionId": detection_id,
        "StackDriftStatus": found.status,
        "DetectionStatus": "DETECTION_FAILED" if found.failure else "DETECTION_COMPLETE",
        **({"DetectionStatusReason": found.failure} if found.failure else {}),
        "DriftedStackResourceCount": found.drifted,
        "Timestamp": found.at,
    }


@operation("cloudformation", "DetectStackResourceDrift")
def detect_drift_of_resource(call: Call) -> Mapping[str, Any]:
    stack, name = _settled_stack(call), call.parameters["LogicalResourceId"]
    _raise_unknown(stack, name)
    drift = resource_drift(Services(stack_engine(call).engine_context, stack), stack.resources[name])
    stack.drifts, stack.drift_checked_at = {**stack.drifts, name: drift}, drift.checked_at
    return {"StackResourceDrift": _described(stack, drift)}


@operation("cloudformation", "DescribeStackResourceDrifts")
def describe_resource_drifts(call: Call) -> Mapping[str, Any]:
    """Returns the results of the last checks; resources that were never checked are not in it."""
    stack, wanted = named_stack(call), call.parameters.get("StackResourceDriftStatusFilters")
    found = [drift for drift in stack.drifts.values() if not wanted or drift.status in wanted]
    return listing(call, "StackResourceDrifts", [_described(stack, drift) for drift in found])


def _settled_stack(call: Call) -> Stack:
    stack = named_stack(call)
    if stack.in_progress or stack.revision is None:
        raise api_error("cloudformation.drift_state", stack=stack.stack_id, status=stack.status)
    return stack


def _raise_unknown(stack: Stack, logical_id: str) -> None:
    if logical_id not in stack.resources:
        raise api_error("cloudformation.no_resource", resource=logical_id, stack=stack.name)


def _described(stack: Stack, drift: ResourceDrift) -> dict[str, Any]:
    reported: dict[str, Any] = {}
    if drift.status in {"IN_SYNC", "MODIFIED"}:
        reported = {
            "ExpectedProperties": json.dumps(drift.expected, default=as_text),
            "ActualProperties": json.dumps(drift.actual, default=as_text),
            "PropertyDifferences": [_difference(each) for each in drift.differences],
        }
    elif drift.status == "DELETED":
        reported = {"ExpectedProperties": json.dumps(drift.expected, default=as_text)}
    return {
        "StackId": stack.stack_id,
        "LogicalResourceId": drift.resource.logical_id,
        "PhysicalResourceId": drift.resource.physical_id,
        "ResourceType": drift.resource.type,
        "StackResourceDriftStatus": drift.status,
        "Timestamp": drift.checked_at,
        **reported,
    }


def _difference(found: PropertyDifference) -> dict[str, Any]:
    return {
        "PropertyPath": found.pointer,
        "DifferenceType": found.kind,
        "ExpectedValue": _text(found.expected),
        "ActualValue": _text(found.actual),
    }


def _text(value: Any) -> str:
    """As CloudFormation writes a value here: JSON, but a scalar as it is, and nothing as ``null``."""
    is_scalar = isinstance(value, str | int | float)
    return as_text(value) if is_scalar else json.dumps(value, default=as_text)
