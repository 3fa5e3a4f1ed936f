"""The event that CloudFormation sends to the function behind a custom resource, and how the resource fails."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

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


class CustomResourceFailed(ClientError):  # type: ignore[misc]  # botocore has no types
    """A custom resource's FAILED answer, or a refusal of this local AWS, as the engine shows it.

    A ``ClientError``, so that the engine treats it as any other refusal; its text is the reason alone.
    """

    def __init__(self, reason: str, *, is_of_function: bool = False, physical_id: str | None = None) -> None:
        """``is_of_function``: whether the function got the event; then it may have made something, with this id."""
        super().__init__({"Error": {"Code": "CustomResourceFailed", "Message": reason}}, "CustomResource")
        self.reason = reason
        self.is_of_function = is_of_function
        self.physical_id = physical_id

    def __str__(self) -> str:
        return self.reason


DEFAULT_SERVICE_TIMEOUT = 3600


def no_answer(event: Mapping[str, Any]) -> CustomResourceFailed:
    """Returns the error of a function that has not answered within ``ServiceTimeout``, an hour by default.

    Source: CloudFormation user guide, AWS::CloudFormation::CustomResource, ServiceTimeout; the words as users report
    them (aws-solutions-library-samples/qnabot-on-aws#523).
    """
    return CustomResourceFailed(
        "CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId "
        f"[{event['RequestId']}]. If you are using the Python cfn-response module, you may need to update your Lambda "
        "function code so that CloudFormation can attach the updated version.",
        is_of_function=True,
    )
