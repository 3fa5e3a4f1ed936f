"""AWS::EC2::NetworkInterface."""

from __future__ import annotations

from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map


class NetworkInterface(Ec2Resource):
    type_name = "AWS::EC2::NetworkInterface"
    tag_type = "network-interface"
    noun = "NetworkInterface"
    id_member = "NetworkInterfaceId"
    rows_member = "NetworkInterfaces"
    created = frozenset({"Description", "PrivateIpAddress", "SubnetId"})
    supported = created | {"GroupSet", "SourceDestCheck", "Tags"}
    required = frozenset({"SubnetId"})

    def creation(self, context: ResourceContext, properties: Properties) -> dict[str, Any]:
        groups = {"Groups": properties["GroupSet"]} if properties.get("GroupSet") else {}
        return {**super().creation(context, properties), **groups}

    def after_creation(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:
        if "SourceDestCheck" in properties:
            self._modify(context, physical_id, SourceDestCheck={"Value": properties["SourceDestCheck"]})

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        if new.get("GroupSet") != old.get("GroupSet") and new.get("GroupSet"):
            self._modify(context, physical_id, Groups=new["GroupSet"])
        if new.get("Description") != old.get("Description"):
            self._modify(context, physical_id, Description={"Value": new.get("Description", "")})
        if new.get("SourceDestCheck", True) != old.get("SourceDestCheck", True):
            self._modify(context, physical_id, SourceDestCheck={"Value": new.get("SourceDestCheck", True)})
        self.change_tags(context, physical_id, new)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {
            **super().describe(context, physical_id),
            "GroupSet": [group["GroupId"] for group in row["Groups"]],
            "Tags": tag_list(tag_map(row.get("TagSet", []))),
        }

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = super().row(context, physical_id)
        return {**row, "Tags": row.get("TagSet", [])}

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {
            "Id": physical_id,
            "PrimaryPrivateIpAddress": row["PrivateIpAddress"],
            "VpcId": row["VpcId"],
        }

    def _modify(self, context: ResourceContext, interface_id: str, **change: Any) -> None:
        call(self.client(context), "ModifyNetworkInterfaceAttribute", {"NetworkInterfaceId": interface_id, **change})
