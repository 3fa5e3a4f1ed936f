"""AWS::EC2::PlacementGroup. Nothing of it changes in place, its tags included."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.names import generated_name
from local_aws.handlers.shapes import call

NAME_LIMIT = 255


class PlacementGroup(Ec2Resource):
    """Its physical id is its name, which CloudFormation always makes up."""

    type_name = "AWS::EC2::PlacementGroup"
    tag_type = "placement-group"
    noun = "PlacementGroup"
    id_member = "GroupName"
    rows_member = "PlacementGroups"
    created = frozenset({"Strategy", "PartitionCount", "SpreadLevel"})
    carried = created | {"Tags"}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        name = generated_name(context, NAME_LIMIT)
        parameters = {"GroupName": name, **self.creation(context, properties)}
        call(self.client(context), "CreatePlacementGroup", parameters)
        return name

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Only the tags of the stack can differ, and those stay with the group that was made."""

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"GroupName": physical_id, "GroupId": self.row(context, physical_id)["GroupId"]}
