"""The values that a stack's template refers to: of the account, of its resources, of other stacks and services."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.clients import local_client, partition_of
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.value_source import StackOutput, ValueSource
from local_aws.cloudformation.values import UNKNOWN
from local_aws.engine.parameters import Clients
from local_aws.engine.stack import Revision, Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.stack_table import StackTable

DYNAMIC_SERVICES = frozenset({"ssm", "secretsmanager"})
ARN_PARTS = 7
"""Parts of a secret's ARN between its colons."""


def dynamic_value(service: str, name: str, client: Clients) -> str:
    """The value of one reference to one of the services. Raises TemplateError when there is none."""
    if service == "secretsmanager":
        return _secret_value(name, client)
    try:
        found: Any = client("ssm").get_parameter(Name=name)
    except ClientError as error:
        if error.response["Error"]["Code"] not in {"ParameterNotFound", "ParameterVersionNotFound"}:
            raise
        raise TemplateError("no_parameter", service=service, name=name) from error
    return str(found["Parameter"]["Value"])


def _secret_value(reference: str, client: Clients) -> str:
    """Returns the value of ``secret-id:SecretString:json-key:version-stage:version-id``; only the first is required."""
    parts = reference.split(":")
    id_parts = ARN_PARTS if parts[0] == "arn" else 1
    kind, key, stage, version, *rest = [*parts[id_parts:], "", "", "", ""][: max(4, len(parts) - id_parts)]
    if rest or kind not in {"", "SecretString"} or (stage and version):
        raise TemplateError("secret_format", reference=reference)
    wanted = {"VersionStage": stage, "VersionId": version}
    secret_id = ":".join(parts[:id_parts])
    try:
        found = client("secretsmanager").get_secret_value(
            SecretId=secret_id, **{name: value for name, value in wanted.items() if value}
        )
    except ClientError as error:
        described = error.response["Error"]
        raise TemplateError("secret", reason=described["Message"], code=described["Code"]) from error
    text = str(found.get("SecretString", ""))
    return _member(text, key) if key else text


def _member(text: str, key: str) -> str:
    try:
        members = json.loads(text)
    except ValueError as error:
        raise TemplateError("secret_json") from error
    if not isinstance(members, dict) or key not in members:
        raise TemplateError("secret_key")
    return members[key] if isinstance(members[key], str) else json.dumps(members[key])


ROLE = re.compile(r"arn:(?P<partition>[\w-]+):iam::(?P<account>\d{12}):role/(?:[\w+=,.@/-]*/)?(?P<name>[\w+=,.@-]+)")


def output_value(output: StackOutput, stack: Stack, table: StackTable, endpoint: str) -> str:
    """The value, as the other stack has it now. Raises TemplateError when there is none."""
    region = output.region or stack.region
    if partition_of(region) != partition_of(stack.region):
        raise TemplateError("other_partition", region=region)
    account = _account(output.role_arn, stack, endpoint) if output.role_arn else stack.account
    found = table.find(account, region, output.stack_name)
    if found is None or found.status == "DELETE_COMPLETE":
        raise TemplateError("no_other_stack", stack=output.stack_name)
    for each in found.outputs:
        if each.key == output.output_name:
            return each.value
    raise TemplateError("no_output", output=output.output_name, stack=output.stack_name)


def _account(role_arn: str, stack: Stack, endpoint: str) -> str:
    """The account of a role that exists; what it may do is not asked."""
    match = ROLE.fullmatch(role_arn)
    if match is None or match["partition"] != partition_of(stack.region):
        raise TemplateError("role_arn", role=role_arn)
    try:
        local_client("iam", endpoint, match["account"], stack.region).get_role(RoleName=match["name"])
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchEntity":
            raise
        raise TemplateError("no_role", role=role_arn) from error
    return match["account"]


class RequestValues(ValueSource):
    """Values that are known when a request comes in: parameters and pseudo parameters."""

    def __init__(self, stack: Stack, revision: Revision) -> None:
        self._stack = stack
        self._revision = revision

    def parameter(self, name: str) -> Any:
        return self._revision.parameters[name].value

    def pseudo_parameter(self, name: str) -> Any:
        stack = self._stack
        values: Mapping[str, Any] = {
            "AWS::AccountId": stack.account,
            "AWS::NotificationARNs": list(self._revision.notification_arns),
            "AWS::Partition": partition_of(stack.region),
            "AWS::Region": stack.region,
            "AWS::StackId": stack.stack_id or UNKNOWN,  # a request is checked before its stack is made
            "AWS::StackName": stack.name,
            "AWS::URLSuffix": "amazonaws.com.cn" if partition_of(stack.region) == "aws-cn" else "amazonaws.com",
        }
        return values[name]


class StackValues(RequestValues):
    """The account, and the stack's resources as they are now."""

    def __init__(self, stack: Stack, revision: Revision, table: StackTable, endpoint: str) -> None:
        super().__init__(stack, revision)
        self._table = table
        self._endpoint = endpoint
        self.imported: set[str] = set()
        """Names of the exports that were asked for."""

    def reference(self, logical_id: str) -> Any:
        return self._resource(logical_id).physical_id

    def attribute(self, logical_id: str, name: str) -> Any:
        found = self._resource(logical_id)
        if name not in found.resource.attributes:
            raise TemplateError("attribute", name=name, type=found.type)
        return found.resource.attributes[name]

    def import_value(self, name: str) -> Any:
        exports = self._table.exports(self._stack.account, self._stack.region)
        if name not in exports:
            raise api_error("cloudformation.no_export", export=name)
        self.imported.add(name)
        return exports[name][1].value

    def stack_output(self, output: StackOutput) -> Any:
        """A weak reference: nothing remembers it, so that the other stack may drop the output."""
        return output_value(output, self._stack, self._table, self._endpoint)

    def availability_zones(self, region: str) -> Any:
        region = region or self._stack.region
        answer = local_client("ec2", self._endpoint, self._stack.account, region).describe_availability_zones()
        return sorted(zone["ZoneName"] for zone in answer["AvailabilityZones"])

    def dynamic_reference(self, service: str, name: str) -> Any:
        def client(service: str) -> Any:
            return local_client(service, self._endpoint, self._stack.account, self._stack.region)

        return dynamic_value(service, name, client)

    def _resource(self, logical_id: str) -> StackResource:
        return self._stack.resources[logical_id]


class PreviewValues(StackValues):
    """The same before a change is made: what new and changing resources return is unknown."""

    def __init__(self, stack: Stack, revision: Revision, table: StackTable, endpoint: str) -> None:
        super().__init__(stack, revision, table, endpoint)
        self.new: set[str] = set()
        """Resources to be created or replaced: neither their id nor their attributes are known."""
        self.changing: set[str] = set()
        """Resources to be changed in place: they keep their id, their attributes may change."""

    def reference(self, logical_id: str) -> Any:
        return UNKNOWN if logical_id in self.new else super().reference(logical_id)

    def attribute(self, logical_id: str, name: str) -> Any:
        return UNKNOWN if logical_id in self.new | self.changing else super().attribute(logical_id, name)
