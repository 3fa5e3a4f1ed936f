"""The event that CloudFormation sends to the function behind a custom resource."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext


def custom_resource_event(
    context: ResourceContext,
    request_type: str,
    properties: Properties,
    *,
    physical_id: str | None = None,
    old: Properties | None = None,
) -> dict[str, Any]:
    """One ``Create``, ``Update`` or ``Delete`` request.

    Source of its fields: CloudFormation user guide, "Custom resource request objects"; CDK's provider framework
    hides ``ResponseURL`` from nobody but the log, and here there is none to answer to.
    """
    event: dict[str, Any] = {
        "RequestType": request_type,
        "ServiceToken": properties["ServiceToken"],
        "ResponseURL": "...",
        "StackId": context.stack_id,
        "RequestId": str(uuid.uuid4()),
        "LogicalResourceId": context.logical_id,
        "ResourceType": context.resource_type,
        "ResourceProperties": as_strings(properties),
    }
    if physical_id is not None:
        event["PhysicalResourceId"] = physical_id
    if old is not None:
        event["OldResourceProperties"] = as_strings(old)
    return event


def as_strings(value: Any) -> Any:
    """Properties as CloudFormation passes them to custom resources: every scalar a string, nulls left out."""
    if isinstance(value, Mapping):
        return {key: as_strings(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [as_strings(inner) for inner in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
