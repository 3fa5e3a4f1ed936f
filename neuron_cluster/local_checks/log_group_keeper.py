"""The provider of the toolkit's kept log groups: their function's own code, run in this process."""

from __future__ import annotations

import functools
import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.contract import Store
from local_aws.custom_resources.event import CustomResourceFailed, as_strings, custom_resource_event
from local_aws.custom_resources.functions import published_code
from local_aws.engine.provider import Properties, Resource, ResourceContext, ResourceProvider
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.published_code import LOG_GROUP_KEEPER

FILE = "index.py"
TABLE = "recorded.log_groups"
"""The properties of each request, as the function got them, by log group."""
Keep = Callable[[Mapping[str, Any], Any], str]
"""The function's handler of an event, with a client of CloudWatch Logs; it returns the physical id."""


class LogGroupKeeperProvider(ResourceProvider):
    """Runs ``keep`` of code with the known digest; how the function answers CloudFormation is left out."""

    type_name = "Custom::NeuronClusterLogGroup"

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        return Resource(self._run(context, custom_resource_event(context, "Create", properties)))

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        event = custom_resource_event(context, "Update", new, physical_id=resource.physical_id, old=old)
        return Resource(self._run(context, event))

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        self._run(context, custom_resource_event(context, "Delete", properties, physical_id=resource.physical_id))
        self._store.table(context.account, context.region, TABLE).pop(resource.physical_id, None)

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        """The group as CloudWatch Logs returns it; of the request what no service knows, such as the function."""
        client = context.client("logs")
        groups = client.describe_log_groups(logGroupNamePrefix=resource.physical_id)["logGroups"]
        found = [each for each in groups if each["logGroupName"] == resource.physical_id]
        if not found:
            message = f"The specified log group does not exist: {resource.physical_id}"
            raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": message}}, "DescribeLogGroups")
        arn = found[0]["arn"].removesuffix(":*")
        reported = {
            "LogGroupName": found[0]["logGroupName"],
            "LogGroupArn": arn,
            "KmsKeyId": found[0].get("kmsKeyId"),
            "RetentionInDays": found[0].get("retentionInDays"),
            "Tags": client.list_tags_for_resource(resourceArn=arn)["tags"],
        }
        asked = self._store.table(context.account, context.region, TABLE)[resource.physical_id]
        read: dict[str, Any] = {**asked, **as_strings(reported)}
        return read

    def _run(self, context: ResourceContext, event: Mapping[str, Any]) -> str:
        configuration = context.client("lambda").get_function_configuration(FunctionName=event["ServiceToken"])
        function = published_code(context.account, context.region).get_function(configuration["FunctionName"])
        code = _code(function.code_bytes)
        if code is None:
            raise CustomResourceFailed(
                f"{context.resource_type} is served by the function {configuration['FunctionName']}, whose code is not "
                "that of this release of the toolkit: the local AWS runs no other code"
            )
        try:
            physical_id = _keep(code)(event, context.client("logs"))
        except ClientError as error:
            raise CustomResourceFailed(f"{type(error).__name__}: {error}") from error
        self._store.table(context.account, context.region, TABLE)[physical_id] = event["ResourceProperties"]
        return physical_id


def _code(archive: bytes) -> bytes | None:
    """The code, if it is the known one."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        code = opened.read(FILE) if opened.namelist() == [FILE] else b""
    known = load_catalog().published_code[LOG_GROUP_KEEPER].files[FILE]
    return code if hashlib.sha256(code).hexdigest() == known else None


@functools.cache
def _keep(code: bytes) -> Keep:
    names: dict[str, Any] = {"__name__": LOG_GROUP_KEEPER}
    exec(compile(code, FILE, "exec"), names)  # noqa: S102 - its digest is the known one
    keep: Keep = names["keep"]
    return keep
