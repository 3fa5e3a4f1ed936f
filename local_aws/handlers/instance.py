"""AWS::EC2::Instance: what a workstation needs; any other property is refused."""

from __future__ import annotations

import base64
import contextlib
from typing import Any

from botocore.exceptions import ClientError, ParamValidationError

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource
from local_aws.handlers.instance_description import block_devices, launched_from, told_attributes
from local_aws.handlers.service_resource import present
from local_aws.handlers.shapes import call
from local_aws.handlers.tags import tag_list, tag_map

MODIFIABLE = {
    "DisableApiTermination": False,
    "EbsOptimized": False,
    "InstanceInitiatedShutdownBehavior": "stop",
    "InstanceType": None,
    "SourceDestCheck": True,
}
"""Changed by ModifyInstanceAttribute, one at a time, with EC2's default."""
UNCHANGED_HERE = frozenset({"BlockDeviceMappings", "IamInstanceProfile", "Monitoring", "UserData"})


class Instance(Ec2Resource):
    type_name = "AWS::EC2::Instance"
    tag_type = "instance"
    noun = "Instance"
    id_member = "InstanceId"
    rows_member = "Instances"
    created = frozenset(
        {
            "BlockDeviceMappings",
            "EbsOptimized",
            "ImageId",
            "InstanceInitiatedShutdownBehavior",
            "InstanceType",
            "KeyName",
            "LaunchTemplate",
            "MetadataOptions",
            "SecurityGroupIds",
            "SubnetId",
            "UserData",
        }
    )
    supported = created | {"DisableApiTermination", "IamInstanceProfile", "Monitoring", "SourceDestCheck", "Tags"}

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:
        client = self.client(context)
        parameters = {**self.creation(context, properties), "MinCount": 1, "MaxCount": 1}
        if "UserData" in parameters:
            # botocore encodes what it is given; the template's text is encoded already.
            parameters["UserData"] = base64.b64decode(parameters["UserData"])
        if properties.get("IamInstanceProfile"):
            parameters["IamInstanceProfile"] = {"Name": properties["IamInstanceProfile"]}
        if "Monitoring" in properties:
            parameters["Monitoring"] = {"Enabled": properties["Monitoring"]}
        instance_id: str = call(client, "RunInstances", parameters)["Instances"][0]["InstanceId"]
        undo.callback(client.terminate_instances, InstanceIds=[instance_id])
        for name in ("DisableApiTermination", "SourceDestCheck"):
            if name in properties:
                self._modify(context, instance_id, name, properties[name])
        return instance_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """What EC2 does by stopping the instance, or not at all, is not done here: it is refused."""
        for name in sorted(UNCHANGED_HERE):
            if new.get(name) != old.get(name):
                raise ParamValidationError(report=f"{self.type_name}: this local AWS cannot change {name} in place")
        client = self.client(context)
        for name, default in MODIFIABLE.items():
            if new.get(name, default) != old.get(name, default):
                self._modify(context, physical_id, name, new.get(name, default))
        if new.get("SecurityGroupIds") and new["SecurityGroupIds"] != old.get("SecurityGroupIds"):
            client.modify_instance_attribute(InstanceId=physical_id, Groups=new["SecurityGroupIds"])
        if new.get("MetadataOptions") and new["MetadataOptions"] != old.get("MetadataOptions"):
            call(client, "ModifyInstanceMetadataOptions", {"InstanceId": physical_id, **new["MetadataOptions"]})
        self.change_tags(context, physical_id, new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).terminate_instances(InstanceIds=[physical_id])

    def row(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        """A terminated instance stays in DescribeInstances for an hour: it counts as gone."""
        reservations = self.client(context).describe_instances(InstanceIds=[physical_id])["Reservations"]
        row: dict[str, Any] = reservations[0]["Instances"][0]
        if row["State"]["Name"] == "terminated":
            refusal = {"Code": "InvalidInstanceID.NotFound", "Message": f"The ID '{physical_id}' does not exist"}
            raise ClientError({"Error": refusal}, "DescribeInstances")
        return row

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row, client = self.row(context, physical_id), self.client(context)
        profile = row.get("IamInstanceProfile", {}).get("Arn")
        return {
            **present(row, "EbsOptimized", "ImageId", "InstanceType", "KeyName", "SourceDestCheck", "SubnetId"),
            **told_attributes(client, physical_id),
            **launched_from(client, row),
            "BlockDeviceMappings": block_devices(client, row),
            "MetadataOptions": row["MetadataOptions"],
            "Monitoring": row["Monitoring"]["State"] == "enabled",
            "SecurityGroupIds": [group["GroupId"] for group in row["SecurityGroups"]],
            "Tags": tag_list(tag_map(row.get("Tags", []))),
            **({"IamInstanceProfile": profile.rpartition("/")[2]} if profile else {}),
        }

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        row = self.row(context, physical_id)
        return {
            "InstanceId": physical_id,
            "AvailabilityZone": row["Placement"]["AvailabilityZone"],
            "PrivateDnsName": row["PrivateDnsName"],
            "PrivateIp": row["PrivateIpAddress"],
            "PublicDnsName": row.get("PublicDnsName", ""),
            "PublicIp": row.get("PublicIpAddress", ""),
            "VpcId": row["VpcId"],
        }

    def _modify(self, context: ResourceContext, instance_id: str, name: str, value: Any) -> None:
        parameters = {"InstanceId": instance_id, name: {"Value": value}}
        call(self.client(context), "ModifyInstanceAttribute", parameters)
