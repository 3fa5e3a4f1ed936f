"""AWS::SSM::Parameter."""

from __future__ import annotations

import contextlib
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.names import generated_name
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_changes, tag_list, tag_map, wanted_tags

NAME_LIMIT = 1011


class Parameter(ServiceResource):
    """CloudFormation makes no SecureString. A name is made up as ``CFN-<stack>-<logical id>-…``."""

    service = "ssm"
    type_name = "AWS::SSM::Parameter"
    put = frozenset({"AllowedPattern", "DataType", "Description", "Tier", "Type", "Value"})
    carried = put | {"Name", "Tags"}
    required = frozenset({"Type", "Value"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        name = properties.get("Name") or f"CFN-{generated_name(context, NAME_LIMIT - 4)}"
        tags = tag_list(wanted_tags(context, properties))
        call(self.client(context), "PutParameter", {**self._body(name, properties), **({"Tags": tags} if tags else {})})
        return str(name)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        if present(new, *self.put) != present(old, *self.put):
            call(client, "PutParameter", {**self._body(physical_id, new), "Overwrite": True})
        named = {"ResourceType": "Parameter", "ResourceId": physical_id}
        now = tag_map(client.list_tags_for_resource(**named)["TagList"])
        set_, gone = tag_changes(now, wanted_tags(context, new))
        if gone:
            client.remove_tags_from_resource(**named, TagKeys=gone)
        if set_:
            client.add_tags_to_resource(**named, Tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the name is enough
        self.client(context).delete_parameter(Name=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        value = client.get_parameter(Name=physical_id)["Parameter"]["Value"]
        filters = [{"Key": "Name", "Values": [physical_id]}]
        row = client.describe_parameters(ParameterFilters=filters)["Parameters"][0]
        tags = client.list_tags_for_resource(ResourceType="Parameter", ResourceId=physical_id)["TagList"]
        # The only type of which CloudFormation takes tags as a map.
        return {**present(row, *self.carried), "Value": value, "Tags": tag_map(tags)}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.client(context).get_parameter(Name=physical_id)["Parameter"]
        return {"Arn": row["ARN"], **present(row, "Type", "Value")}

    def _body(self, name: str, properties: Properties) -> dict[str, Any]:
        if properties["Type"] == "SecureString":
            message = "CloudFormation does not support SecureString parameters"
            raise ClientError({"Error": {"Code": "ValidationException", "Message": message}}, "PutParameter")
        return {**present(properties, *self.put), "Name": name}
