"""AWS::EC2::NatGateway."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource, no_such


class NatGateway(Ec2Resource):
    type_name = "AWS::EC2::NatGateway"
    tag_type = "natgateway"
    noun = "NatGateway"
    id_member = "NatGatewayId"
    rows_member = "NatGateways"
    created = frozenset({"AllocationId", "ConnectivityType", "SubnetId"})
    carried = created | {"Tags"}

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """A deleted gateway stays in DescribeNatGateways for an hour, as on AWS: it counts as gone."""
        row = super().row(context, physical_id)
        if row["State"] == "deleted":
            raise no_such("DescribeNatGateways", "NatGatewayId", physical_id)
        return row

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        address = self.row(context, physical_id)["NatGatewayAddresses"][0]
        allocation = {"AllocationId": address["AllocationId"]} if "AllocationId" in address else {}
        return {**super().describe(context, physical_id), **allocation}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        address = self.row(context, physical_id)["NatGatewayAddresses"][0]
        return {"NatGatewayId": physical_id, "EniId": address["NetworkInterfaceId"]}
