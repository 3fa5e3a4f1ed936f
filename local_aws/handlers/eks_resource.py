"""What EKS resources share: one structure that Describe… answers, and tags by ARN."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, ClassVar

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call, from_api
from local_aws.handlers.tags import desired_tags, tag_changes, tag_list


class EksResource(ServiceResource):
    """One row of EKS, known by the parameters that ``identity`` makes of the physical id."""

    service = "eks"
    noun: ClassVar[str]
    """The resource in names of operations: ``Nodegroup`` in ``DescribeNodegroup``."""
    member: ClassVar[str]
    """The member of the answers that holds the row, in CloudFormation's spelling."""
    arn_member: ClassVar[str]

    @abc.abstractmethod
    def identity(self, physical_id: str) -> dict[str, str]:
        """Parameters, in CloudFormation's spelling, that name the resource in every operation."""

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """What EKS says of the resource now, in CloudFormation's spelling. Raises ClientError when it is not there."""
        client = self.client(context)
        operation = f"Describe{self.noun}"
        answer = from_api(client, operation, call(client, operation, self.identity(physical_id)))
        row: dict[str, Any] = answer[self.member]
        return row

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {**present(row, *self.supported), "Tags": tag_list(row.get("Tags", {}))}

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        call(self.client(context), f"Delete{self.noun}", self.identity(physical_id))

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        """Parameters of ``Create…``: the properties under their own names, with the stack's tags."""
        tags = desired_tags(context, properties)
        given = {name: value for name, value in properties.items() if name != "Tags"}
        return {**given, "Tags": tags} if tags else given

    def change_tags(self, context: ResourceContext, physical_id: str, new: Properties) -> None:
        row = self.row(context, physical_id)
        set_, gone = tag_changes(_own_tags(row.get("Tags", {})), desired_tags(context, new))
        client = self.client(context)
        if gone:
            client.untag_resource(resourceArn=row[self.arn_member], tagKeys=gone)
        if set_:
            client.tag_resource(resourceArn=row[self.arn_member], tags=set_)


def _own_tags(tags: Mapping[str, str]) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in tag_list(tags)}


def changed_properties(old: Properties, new: Properties) -> frozenset[str]:
    """Names of the properties that differ."""
    return frozenset(name for name in {*old, *new} if old.get(name) != new.get(name))
