"""AWS::EC2::VPCCidrBlock: a further IPv4 range of a VPC."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import no_such
from local_aws.handlers.service_resource import ServiceResource


class VpcCidrBlock(ServiceResource):
    """The physical id is that of the association. Both properties are create-only."""

    service = "ec2"
    type_name = "AWS::EC2::VPCCidrBlock"
    carried = frozenset({"CidrBlock", "VpcId"})
    required = frozenset({"CidrBlock", "VpcId"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        answer = self.client(context).associate_vpc_cidr_block(**properties)
        association: str = answer["CidrBlockAssociation"]["AssociationId"]
        undo.callback(self.remove, context, association, properties)
        return association

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """Nothing can be changed in place."""

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).disassociate_vpc_cidr_block(AssociationId=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        filters = [{"Name": "cidr-block-association.association-id", "Values": [physical_id]}]
        for vpc in self.client(context).describe_vpcs(Filters=filters)["Vpcs"]:
            for each in vpc["CidrBlockAssociationSet"]:
                if each["AssociationId"] == physical_id and each["CidrBlockState"]["State"] == "associated":
                    return {"CidrBlock": each["CidrBlock"], "VpcId": vpc["VpcId"]}
        raise no_such("DescribeVpcs", "VpcCidrBlockAssociationId", physical_id)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        return {"Id": physical_id, "VpcId": self.describe(context, physical_id)["VpcId"]}
