"""CloudFormation's own resource types: nested stacks, and those that make nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from botocore.exceptions import ClientError

from local_aws.clients import presigned_put
from local_aws.engine.provider import Properties, Resource, ResourceContext, ResourceProvider
from local_aws.engine.signals import HANDLE_PATH, handle_of
from local_aws.handlers.service_resource import generated_name, rollback_on_error

POLL_SECONDS = 0.05
LONGEST_NAME = 128
URL_SECONDS = 7 * 24 * 3600
"""How long a signature may be valid."""
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]


class NestedStack(ResourceProvider):
    """A stack that belongs to another one; its outputs are its attributes."""

    type_name = "AWS::CloudFormation::Stack"

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        name = generated_name(context, LONGEST_NAME)
        client = context.client("cloudformation")
        with rollback_on_error() as undo:
            limit = {"TimeoutInMinutes": int(minutes)} if (minutes := properties.get("TimeoutInMinutes")) else {}
            stack_id = client.create_stack(StackName=name, **limit, **_request(context, properties))["StackId"]
            undo.callback(_deleted, context, stack_id)
            return _settled(context, stack_id, "CREATE_COMPLETE")

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:  # noqa: ARG002 - the interface's
        client = context.client("cloudformation")
        try:
            client.update_stack(StackName=resource.physical_id, **_request(context, new))
        except ClientError as error:
            if error.response["Error"]["Message"] != "No updates are to be performed.":
                raise
            return resource
        return _settled(context, resource.physical_id, "UPDATE_COMPLETE")

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:  # noqa: ARG002 - the interface's
        _deleted(context, resource.physical_id)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        stack = _described(context, resource.physical_id)
        parameters = {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])}
        return {"Parameters": parameters, "Tags": stack["Tags"]}


class NothingMade(ResourceProvider):
    """A type whose resources exist in the template alone."""

    def create(self, context: ResourceContext, properties: Properties) -> Resource:  # noqa: ARG002 - the interface's
        return Resource(f"{context.stack_name}-{context.logical_id}")

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:  # noqa: ARG002 - the interface's
        return resource

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        """Nothing is there."""

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:  # noqa: ARG002 - the interface's
        return {}


class CdkMetadata(NothingMade):
    type_name = "AWS::CDK::Metadata"


class WaitConditionHandle(NothingMade):
    """Its ``Ref`` is a URL for signals."""

    type_name = "AWS::CloudFormation::WaitConditionHandle"

    def create(self, context: ResourceContext, properties: Properties) -> Resource:  # noqa: ARG002 - the interface's
        key = quote(f"{context.stack_id}/{context.logical_id}")
        path = f"{HANDLE_PATH}{context.region}/{key}"
        return Resource(presigned_put(context.endpoint, context.account, context.region, path, URL_SECONDS))


class WaitCondition(NothingMade):
    """The engine waits for its signals."""

    type_name = "AWS::CloudFormation::WaitCondition"

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        """Source: Accenture/adop-doa-materials#10 has the physical id."""
        handle = properties.get("Handle")
        return Resource(
            "/".join(handle_of(urlsplit(handle).path) if handle else (context.stack_id, context.logical_id))
        )


def _request(context: ResourceContext, properties: Properties) -> dict[str, Any]:
    parameters: Mapping[str, Any] = properties.get("Parameters", {})
    tags = {**context.stack_tags} | {tag["Key"]: tag["Value"] for tag in properties.get("Tags", [])}
    return {
        "TemplateURL": properties["TemplateURL"],
        "Parameters": [
            {"ParameterKey": key, "ParameterValue": ",".join(value) if isinstance(value, list) else str(value)}
            for key, value in parameters.items()
        ],
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
        "NotificationARNs": properties.get("NotificationARNs", []),
        "Capabilities": CAPABILITIES,
    }


def _deleted(context: ResourceContext, stack_id: str) -> None:
    context.client("cloudformation").delete_stack(StackName=stack_id)
    _settled(context, stack_id, "DELETE_COMPLETE")


def _settled(context: ResourceContext, stack_id: str, wanted: str) -> Resource:
    """Waits for the nested stack. Raises ClientError when it does not come to the wanted status."""
    while (stack := _described(context, stack_id))["StackStatus"].endswith("_IN_PROGRESS"):
        time.sleep(POLL_SECONDS)
    if stack["StackStatus"] != wanted:
        done = wanted.removesuffix("_COMPLETE").lower().removesuffix("e")
        message = f"Embedded stack {stack_id} was not successfully {done}ed: {stack.get('StackStatusReason', '')}"
        # Source: aws-samples/aws-scalable-big-blue-button-example#74
        raise ClientError({"Error": {"Code": "NestedStackFailed", "Message": message}}, "DescribeStacks")
    outputs = {f"Outputs.{each['OutputKey']}": each["OutputValue"] for each in stack.get("Outputs", [])}
    return Resource(stack_id, outputs)


def _described(context: ResourceContext, stack_id: str) -> dict[str, Any]:
    answer = context.client("cloudformation").describe_stacks(StackName=stack_id)
    described: dict[str, Any] = answer["Stacks"][0]
    return described
