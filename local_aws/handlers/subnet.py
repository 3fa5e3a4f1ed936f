"""AWS::EC2::Subnet, by zone id or by zone name."""

from __future__ import annotations

from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.shapes import call

# EC2 takes each of these in a call of its own, after the subnet exists.
LAUNCH_ATTRIBUTES = {"MapPublicIpOnLaunch": False, "AssignIpv6AddressOnCreation": False, "EnableDns64": False}
DNS_OPTIONS: dict[str, tuple[str, Any]] = {
    "HostnameType": ("PrivateDnsHostnameTypeOnLaunch", "ip-name"),
    "EnableResourceNameDnsARecord": ("EnableResourceNameDnsARecordOnLaunch", False),
    "EnableResourceNameDnsAAAARecord": ("EnableResourceNameDnsAAAARecordOnLaunch", False),
}


class Subnet(Ec2Resource):
    type_name = "AWS::EC2::Subnet"
    tag_type = "subnet"
    noun = "Subnet"
    id_member = "SubnetId"
    rows_member = "Subnets"
    created = frozenset({"AvailabilityZone", "AvailabilityZoneId", "CidrBlock", "Ipv6CidrBlock", "Ipv6Native", "VpcId"})
    supported = created | {*LAUNCH_ATTRIBUTES, "PrivateDnsNameOptionsOnLaunch", "Tags"}
    required = frozenset({"VpcId"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        """CloudFormation looks at DNS64 before it makes the subnet, which has no IPv6 addresses later."""
        if str(properties.get("EnableDns64", False)).lower() == "true" and not properties.get("Ipv6CidrBlock"):
            # Source: badmintoncryer/cdk-preflight has the words; inferred: the code
            message = "Invalid request provided: Property Ipv6CidrBlock or Ipv6IpamPoolId cannot be empty."
            raise ClientError({"Error": {"Code": "InvalidRequest", "Message": message}}, "CreateSubnet")
        return super().creation(context, properties)

    def after_creation(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self._set_attributes(context, physical_id, {}, properties)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        self._set_attributes(context, physical_id, old, new)
        self.change_tags(context, physical_id, new)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        client = self.client(context)
        acls = client.describe_network_acls(Filters=[{"Name": "association.subnet-id", "Values": [physical_id]}])
        associations = [each for acl in acls["NetworkAcls"] for each in acl["Associations"]]
        return {
            "SubnetId": physical_id,
            "AvailabilityZone": row["AvailabilityZone"],
            "AvailabilityZoneId": row["AvailabilityZoneId"],
            "CidrBlock": row["CidrBlock"],
            "VpcId": row["VpcId"],
            "NetworkAclAssociationId": next(
                each["NetworkAclAssociationId"] for each in associations if each["SubnetId"] == physical_id
            ),
        }

    def _set_attributes(self, context: ResourceContext, subnet_id: str, old: Properties, new: Properties) -> None:
        for name, default in LAUNCH_ATTRIBUTES.items():
            if name in new or name in old:
                self._modify(context, subnet_id, name, {"Value": new.get(name, default)})
        old_options = old.get("PrivateDnsNameOptionsOnLaunch", {})
        new_options = dict(new.get("PrivateDnsNameOptionsOnLaunch", {}))
        for name, (parameter, default) in DNS_OPTIONS.items():
            if name in new_options or name in old_options:
                value = new_options.pop(name, default)
                self._modify(context, subnet_id, parameter, value if name == "HostnameType" else {"Value": value})
        for name, value in new_options.items():
            self._modify(context, subnet_id, name, value)  # unknown: refused by EC2's model

    def _modify(self, context: ResourceContext, subnet_id: str, name: str, value: Any) -> None:
        call(self.client(context), "ModifySubnetAttribute", {"SubnetId": subnet_id, name: value})
