"""What EC2 resources share: one call makes, one describes, one removes, and tags go on by one pair of calls."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, ClassVar

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list, tag_map


class Ec2Resource(ServiceResource):
    """One row of an EC2 ``Describe…`` answer, known by its id."""

    service = "ec2"
    tag_type: ClassVar[str]
    """EC2's name of the type in ``TagSpecifications``."""
    noun: ClassVar[str]
    """The resource in names of operations: ``Vpc`` in ``CreateVpc``."""
    id_member: ClassVar[str]
    rows_member: ClassVar[str]
    """The answer of ``Describe…`` that holds the rows; the operation bears the same name."""
    created: ClassVar[frozenset[str]]
    """Properties that are parameters of ``Create…`` under the same name."""

    @property
    def tagged_member(self) -> str:
        """The member of a row by whose value EC2 tags the resource."""
        return self.id_member

    @property
    def ids_parameter(self) -> str:
        return f"{self.id_member}s"

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        answer = call(self.client(context), f"Create{self.noun}", self.creation(context, properties))
        physical_id = self.created_id(answer)
        undo.callback(self.remove, context, physical_id, properties)
        self.after_creation(context, physical_id, properties)
        return physical_id

    def created_id(self, answer: Mapping[str, Any]) -> str:
        """The id in the answer of ``Create…``."""
        physical_id: str = answer[self.noun][self.id_member]
        return physical_id

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        """Parameters of ``Create…``."""
        return {**present(properties, *self.created), **self.tag_specifications(context, properties)}

    def tag_specifications(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        tags = desired_tags(context, properties)
        if not tags:
            return {}
        return {"TagSpecifications": [{"ResourceType": self.tag_type, "Tags": tag_list(tags)}]}

    def after_creation(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        """Further calls that a new resource needs."""

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the part all types share
        self.change_tags(context, physical_id, new)

    def change_tags(self, context: ResourceContext, physical_id: str, new: Properties) -> None:
        row = self.row(context, physical_id)
        set_, gone = tag_changes(tag_map(row.get("Tags", [])), desired_tags(context, new))
        client, tagged = self.client(context), [row[self.tagged_member]]
        if gone:
            client.delete_tags(Resources=tagged, Tags=[{"Key": key} for key in gone])
        if set_:
            client.create_tags(Resources=tagged, Tags=tag_list(set_))

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        call(self.client(context), f"Delete{self.noun}", {self.id_member: physical_id})

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """The row of ``Describe…`` in CloudFormation's form. Raises ClientError when it is not there."""
        operation = f"Describe{self.rows_member}"
        client = self.client(context)
        answer = from_api(client, operation, call(client, operation, {self.ids_parameter: [physical_id]}))
        [row] = answer[self.rows_member]
        return dict(row)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {**present(row, *self.supported), "Tags": tag_list(tag_map(row.get("Tags", [])))}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - most have one
        return {self.id_member: physical_id}
