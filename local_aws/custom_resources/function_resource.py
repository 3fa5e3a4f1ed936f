"""Custom resources that a function of the user's own serves, which answers to the response URL of its event.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref.html
"""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.clients import local_client, presigned_put
from local_aws.contract import Store
from local_aws.custom_resources.event import (
    DEFAULT_SERVICE_TIMEOUT,
    CustomResourceFailed,
    custom_resource_event,
    no_answer,
)
from local_aws.custom_resources.functions import FUNCTION_ARN, Functions, Invoker
from local_aws.engine.provider import Properties, Resource, ResourceContext
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.lambda_runtime.function import CannotRun

ACCOUNT_OF_CLOUDFORMATION = "000000000001"
"""Has the buckets of responses, as an account of AWS has them."""
TABLE = "custom.properties"
MOST_BYTES = 4096
"""The size of a response. Source:
https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/crpg-ref-responses.html"""
URL_SECONDS = 7200


class FunctionResources:
    """Sends the events of custom resources to functions, and reads their responses."""

    def __init__(self, store: Store, functions: Functions) -> None:
        self._store = store
        self._functions = functions

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        """A resource whose creation fails is deleted at once, which CloudFormation does in the rollback."""
        event = custom_resource_event(context, "Create", properties)
        response: Mapping[str, Any] = {}
        try:
            response = self._response(context, event)
            return self._made(context, event, response)
        except CustomResourceFailed as failure:
            if failure.is_of_function:
                generated = f"{context.stack_name}-{context.logical_id}-{uuid.uuid4().hex[:12].upper()}"
                physical_id = failure.physical_id or response.get("PhysicalResourceId") or generated
                with contextlib.suppress(CustomResourceFailed):
                    self.delete(context, Resource(str(physical_id)), properties)
            raise

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        event = custom_resource_event(context, "Update", new, physical_id=resource.physical_id, old=old)
        return self._made(context, event, self._response(context, event))

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        event = custom_resource_event(context, "Delete", properties, physical_id=resource.physical_id)
        self._response(context, event)
        self._table(context).pop(resource.physical_id, None)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        """The properties as the function got them."""
        found: dict[str, Any] = self._table(context)[resource.physical_id]
        return found

    def has(self, context: ResourceContext, resource: Resource) -> bool:
        return resource.physical_id in self._table(context)

    def _table(self, context: ResourceContext) -> dict[str, Any]:
        return self._store.table(context.account, context.region, TABLE)

    def _made(self, context: ResourceContext, event: Mapping[str, Any], response: Mapping[str, Any]) -> Resource:
        physical_id = response.get("PhysicalResourceId")
        if not isinstance(physical_id, str) or not physical_id:
            raise CustomResourceFailed("Invalid PhysicalResourceId", is_of_function=True)
        data = response.get("Data") or {}
        if not isinstance(data, Mapping):
            # Source: inferred: the words.
            raise CustomResourceFailed("Response Data is not a JSON object", is_of_function=True)
        self._table(context)[physical_id] = event["ResourceProperties"]
        return Resource(physical_id, data)

    def _response(self, context: ResourceContext, event: dict[str, Any]) -> Mapping[str, Any]:
        """The response of the function; raises CustomResourceFailed for one that is missing, malformed or FAILED."""
        token = event["ServiceToken"]
        if not FUNCTION_ARN.fullmatch(str(token)):
            raise CustomResourceFailed(
                f"Invalid service token {token}: the local AWS sends the events of custom resources to functions alone"
            )
        seconds = int(event["ResourceProperties"].get("ServiceTimeout", DEFAULT_SERVICE_TIMEOUT))
        bucket = _bucket(context)
        path = f"/{bucket}/{event['RequestId']}"
        event["ResponseURL"] = presigned_put(
            context.endpoint, ACCOUNT_OF_CLOUDFORMATION, context.region, path, URL_SECONDS
        )
        invoker = Invoker(context.account, context.region, context.endpoint)
        try:
            self._functions.invoke(invoker, token, event, most_seconds=seconds)
        except CannotRun as error:
            raise CustomResourceFailed(str(error)) from error
        self._functions.wait()
        body = _sent(context, bucket, event["RequestId"])
        if body is None:
            raise no_answer(event)
        return _read(body, event)


def _bucket(context: ResourceContext) -> str:
    """The bucket of responses of the Region."""
    name = f"cloudformation-custom-resource-response-{context.region.replace('-', '')}"
    placed = {"CreateBucketConfiguration": {"LocationConstraint": context.region}}
    with contextlib.suppress(ClientError):  # it is there
        _s3(context).create_bucket(Bucket=name, **(placed if context.region != "us-east-1" else {}))
    return name


def _s3(context: ResourceContext) -> Any:
    return local_client("s3", context.endpoint, ACCOUNT_OF_CLOUDFORMATION, context.region)


def _sent(context: ResourceContext, bucket: str, key: str) -> bytes | None:
    with ignore_not_found():
        body: bytes = _s3(context).get_object(Bucket=bucket, Key=key)["Body"].read()
        _s3(context).delete_object(Bucket=bucket, Key=key)
        return body
    return None


def _read(body: bytes, event: Mapping[str, Any]) -> Mapping[str, Any]:
    if len(body) > MOST_BYTES:
        # Source: https://github.com/aws/aws-cdk/issues/16097
        raise CustomResourceFailed("Response object is too long.", is_of_function=True)
    try:
        response = json.loads(body)
    except ValueError:
        response = None
    if not isinstance(response, Mapping) or response.get("Status") not in ("SUCCESS", "FAILED"):
        # Source: inferred: the words.
        raise CustomResourceFailed("Invalid response: it is not a JSON object with a Status", is_of_function=True)
    for member in ("StackId", "RequestId", "LogicalResourceId"):
        if response.get(member) != event[member]:
            # Source: inferred: the words.
            raise CustomResourceFailed(f"Invalid response: {member} is not that of the request", is_of_function=True)
    if response["Status"] == "FAILED":
        reason = response.get("Reason") or "no reason given"
        message = f"Received response status [FAILED] from custom resource. Message returned: {reason}"
        raise CustomResourceFailed(
            f"{message} (RequestId: {event['RequestId']})",
            is_of_function=True,
            physical_id=response.get("PhysicalResourceId"),
        )
    return response
