"""AWS::EC2::VPC."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.shapes import call

DNS_ATTRIBUTES = ("EnableDnsSupport", "EnableDnsHostnames")


class Vpc(Ec2Resource):
    type_name = "AWS::EC2::VPC"
    tag_type = "vpc"
    noun = "Vpc"
    id_member = "VpcId"
    rows_member = "Vpcs"
    created = frozenset({"CidrBlock", "InstanceTenancy"})
    carried = created | {*DNS_ATTRIBUTES, "Tags"}

    def after_creation(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        self._set_attributes(context, physical_id, {}, properties)

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new.get("InstanceTenancy", "default") != old.get("InstanceTenancy", "default"):
            parameters = {"VpcId": physical_id, "InstanceTenancy": new.get("InstanceTenancy", "default")}
            call(self.client(context), "ModifyVpcTenancy", parameters)
        self._set_attributes(context, physical_id, old, new)
        self.change_tags(context, physical_id, new)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        properties = super().describe(context, physical_id)
        for name in DNS_ATTRIBUTES:
            answer = self._attribute(context, physical_id, name)
            properties[name] = answer
        return properties

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        client = self.client(context)
        of_vpc = [{"Name": "vpc-id", "Values": [physical_id]}]
        groups = client.describe_security_groups(Filters=[*of_vpc, {"Name": "group-name", "Values": ["default"]}])
        acls = client.describe_network_acls(Filters=[*of_vpc, {"Name": "default", "Values": ["true"]}])
        return {
            "VpcId": physical_id,
            "CidrBlock": row["CidrBlock"],
            "CidrBlockAssociations": [each["AssociationId"] for each in row.get("CidrBlockAssociationSet", [])],
            "DefaultNetworkAcl": acls["NetworkAcls"][0]["NetworkAclId"],
            "DefaultSecurityGroup": groups["SecurityGroups"][0]["GroupId"],
            "Ipv6CidrBlocks": [each["Ipv6CidrBlock"] for each in row.get("Ipv6CidrBlockAssociationSet", [])],
        }

    def _set_attributes(self, context: ResourceContext, vpc_id: str, old: Properties, new: Properties) -> None:
        # EC2's defaults for a new VPC: it resolves names, it gives none.
        for name, default in zip(DNS_ATTRIBUTES, (True, False), strict=True):
            if name in new or name in old:
                value = {"Value": new.get(name, default)}
                call(self.client(context), "ModifyVpcAttribute", {"VpcId": vpc_id, name: value})

    def _attribute(self, context: ResourceContext, vpc_id: str, name: str) -> bool:
        attribute = name[:1].lower() + name[1:]
        answer: bool = self.client(context).describe_vpc_attribute(VpcId=vpc_id, Attribute=attribute)[name]["Value"]
        return answer
