"""AWS::EC2::EIP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map


class ElasticIp(Ec2Resource):
    """``Ref`` gives the address itself, as CloudFormation does."""

    type_name = "AWS::EC2::EIP"
    tag_type = "elastic-ip"
    noun = "Address"
    id_member = "PublicIp"
    rows_member = "Addresses"
    created = frozenset({"Domain"})
    carried = created | {"Tags"}

    @property
    def tagged_member(self) -> str:
        return "AllocationId"

    def make(self, context: ResourceContext, properties: Properties, undo: Any) -> str:
        answer: Mapping[str, Any] = call(
            self.client(context), "AllocateAddress", {"Domain": "vpc", **self.creation(context, properties)}
        )
        undo.callback(self.client(context).release_address, AllocationId=answer["AllocationId"])
        address: str = answer["PublicIp"]
        return address

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the address names it
        self.client(context).release_address(AllocationId=self.row(context, physical_id)["AllocationId"])

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row: dict[str, Any] = self.client(context).describe_addresses(PublicIps=[physical_id])["Addresses"][0]
        return row

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {**present(row, "Domain"), "Tags": tag_list(tag_map(row.get("Tags", [])))}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"AllocationId": self.row(context, physical_id)["AllocationId"], "PublicIp": physical_id}
