"""AWS::EC2::VPCEndpoint: gateway endpoints on route tables, interface endpoints in subnets."""

from __future__ import annotations

import json
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.shapes import call

LISTS = ("RouteTableIds", "SubnetIds", "SecurityGroupIds")


class VpcEndpoint(Ec2Resource):
    type_name = "AWS::EC2::VPCEndpoint"
    tag_type = "vpc-endpoint"
    noun = "VpcEndpoint"
    id_member = "VpcEndpointId"
    rows_member = "VpcEndpoints"
    created = frozenset({*LISTS, "PrivateDnsEnabled", "ServiceName", "VpcEndpointType", "VpcId"})
    carried = created | {"PolicyDocument", "Tags"}
    required = frozenset({"VpcId"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        return {"VpcEndpointType": "Gateway", **super().creation(context, properties), **_policy(properties)}

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        changes: dict[str, Any] = {}
        for name in LISTS:
            before, after = old.get(name) or [], new.get(name) or []
            changes[f"Add{name}"] = [each for each in after if each not in before]
            changes[f"Remove{name}"] = [each for each in before if each not in after]
        changes = {name: value for name, value in changes.items() if value}
        if new.get("PolicyDocument") != old.get("PolicyDocument"):
            changes |= _policy(new) or {"ResetPolicy": True}
        if new.get("PrivateDnsEnabled") != old.get("PrivateDnsEnabled"):
            changes["PrivateDnsEnabled"] = new.get("PrivateDnsEnabled", False)
        if changes:
            call(self.client(context), "ModifyVpcEndpoint", {"VpcEndpointId": physical_id, **changes})
        self.change_tags(context, physical_id, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).delete_vpc_endpoints(VpcEndpointIds=[physical_id])

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        groups = [group["GroupId"] for group in row.get("Groups", [])]
        return {
            **super().describe(context, physical_id),
            "PolicyDocument": json.loads(row["PolicyDocument"]),
            **({"SecurityGroupIds": groups} if groups else {}),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {
            "Id": physical_id,
            "CreationTimestamp": row["CreationTimestamp"].isoformat(),
            "DnsEntries": [f"{each.get('HostedZoneId', '')}:{each['DnsName']}" for each in row.get("DnsEntries", [])],
            "NetworkInterfaceIds": row.get("NetworkInterfaceIds", []),
        }


def _policy(properties: Properties) -> dict[str, Any]:
    document = properties.get("PolicyDocument")
    if not document:
        return {}
    return {"PolicyDocument": document if isinstance(document, str) else json.dumps(document)}
