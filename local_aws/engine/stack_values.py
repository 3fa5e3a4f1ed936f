"""The values that a stack's template refers to: of the account, of the stack's resources, of other stacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import local_client, partition_of
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.stack_output import StackOutput
from local_aws.cloudformation.values import UNKNOWN
from local_aws.engine.dynamic_references import dynamic_value
from local_aws.engine.stack import Revision, Stack
from local_aws.engine.stack_outputs import output_value
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.stack_table import StackTable


class StackValues:
    """The account, and the stack's resources as they are now."""

    def __init__(self, stack: Stack, revision: Revision, table: StackTable, endpoint: str) -> None:
        self._stack = stack
        self._revision = revision
        self._table = table
        self._endpoint = endpoint
        self.imported: set[str] = set()
        """Names of the exports that were asked for."""

    def parameter(self, name: str) -> Any:
        return self._revision.parameters[name].value

    def pseudo_parameter(self, name: str) -> Any:
        stack = self._stack
        values: Mapping[str, Any] = {
            "AWS::AccountId": stack.account,
            "AWS::NotificationARNs": list(self._revision.notification_arns),
            "AWS::Partition": partition_of(stack.region),
            "AWS::Region": stack.region,
            "AWS::StackId": stack.stack_id,
            "AWS::StackName": stack.name,
            "AWS::URLSuffix": "amazonaws.com.cn" if partition_of(stack.region) == "aws-cn" else "amazonaws.com",
        }
        return values[name]

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


class RequestValues(StackValues):
    """The same when a request comes in: only parameters and pseudo parameters are known."""

    def reference(self, logical_id: str) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN

    def attribute(self, logical_id: str, name: str) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN

    def import_value(self, name: str) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN

    def stack_output(self, output: StackOutput) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN

    def availability_zones(self, region: str) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN

    def dynamic_reference(self, service: str, name: str) -> Any:  # noqa: ARG002 - the interface's
        return UNKNOWN
