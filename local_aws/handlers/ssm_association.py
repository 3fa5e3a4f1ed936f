"""AWS::SSM::Association."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import tag_changes, tag_list, tag_map, wanted_tags

RESOURCE_TYPE = "Association"


class Association(ServiceResource):
    """Its physical id is the association's."""

    service = "ssm"
    type_name = "AWS::SSM::Association"
    settings = frozenset({"AssociationName", "Name", "Parameters", "ScheduleExpression", "Targets"})
    carried = settings | {"Tags"}
    required = frozenset({"Name"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        client = self.client(context)
        tags = tag_list(wanted_tags(context, properties))
        wanted = {**present(properties, *self.settings), **({"Tags": tags} if tags else {})}
        answer = call(client, "CreateAssociation", wanted)
        association_id: str = answer["AssociationDescription"]["AssociationId"]
        undo.callback(client.delete_association, AssociationId=association_id)
        return association_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        client = self.client(context)
        if present(new, *self.settings) != present(old, *self.settings):
            call(client, "UpdateAssociation", {**present(new, *self.settings), "AssociationId": physical_id})
        set_, gone = tag_changes(self._tags(context, physical_id), wanted_tags(context, new))
        named = {"ResourceType": RESOURCE_TYPE, "ResourceId": physical_id}
        if gone:
            client.remove_tags_from_resource(**named, TagKeys=gone)
        if set_:
            client.add_tags_to_resource(**named, Tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).delete_association(AssociationId=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        client = self.client(context)
        answer = client.describe_association(AssociationId=physical_id)
        row = from_api(client, "DescribeAssociation", answer)["AssociationDescription"]
        return {**present(row, *self.settings), "Tags": tag_list(self._tags(context, physical_id))}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - the id is all
        return {"AssociationId": physical_id}

    def _tags(self, context: ResourceContext, physical_id: str) -> dict[str, str]:
        client = self.client(context)
        return tag_map(client.list_tags_for_resource(ResourceType=RESOURCE_TYPE, ResourceId=physical_id)["TagList"])
