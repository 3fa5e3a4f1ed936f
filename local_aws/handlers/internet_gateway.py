"""AWS::EC2::InternetGateway and AWS::EC2::VPCGatewayAttachment."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource, no_such
from local_aws.handlers.service_resource import ServiceResource


class InternetGateway(Ec2Resource):
    type_name = "AWS::EC2::InternetGateway"
    tag_type = "internet-gateway"
    noun = "InternetGateway"
    id_member = "InternetGatewayId"
    rows_member = "InternetGateways"
    created = frozenset[str]()
    carried = frozenset({"Tags"})


class VpcGatewayAttachment(ServiceResource):
    """An internet gateway on a VPC; the physical id is ``IGW|<vpc id>``, of which a VPC has one."""

    service = "ec2"
    type_name = "AWS::EC2::VPCGatewayAttachment"
    carried = frozenset({"InternetGatewayId", "VpcId"})
    required = frozenset({"InternetGatewayId", "VpcId"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        self.client(context).attach_internet_gateway(**properties)
        return f"IGW|{properties['VpcId']}"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new["InternetGatewayId"] != old["InternetGatewayId"]:
            self.remove(context, physical_id, old)
            self.client(context).attach_internet_gateway(**new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the properties name both ends
        self.client(context).detach_internet_gateway(**properties)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        vpc_id = physical_id.partition("|")[2]
        filters = [{"Name": "attachment.vpc-id", "Values": [vpc_id]}]
        gateways = self.client(context).describe_internet_gateways(Filters=filters)["InternetGateways"]
        if not gateways:
            raise no_such("DescribeInternetGateways", "InternetGatewayId", physical_id)
        return {"InternetGatewayId": gateways[0]["InternetGatewayId"], "VpcId": vpc_id}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - the only kind carried
        return {"AttachmentType": "IGW"}
