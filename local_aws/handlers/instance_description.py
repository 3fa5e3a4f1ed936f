"""What EC2 tells of an instance outside of DescribeInstances' own members, in CloudFormation's spelling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.engine.not_found import is_absence
from local_aws.handlers.service_resource import present

TEMPLATE_ID, TEMPLATE_VERSION = "aws:ec2launchtemplate:id", "aws:ec2launchtemplate:version"
"""The tags by which EC2 tells what an instance was launched from."""
ATTRIBUTES = {
    "DisableApiTermination": "disableApiTermination",
    "InstanceInitiatedShutdownBehavior": "instanceInitiatedShutdownBehavior",
    "UserData": "userData",
}
"""Properties that only DescribeInstanceAttribute tells, and their names there."""
OF_VOLUME = ("Encrypted", "Iops", "KmsKeyId", "SnapshotId", "Throughput", "VolumeType")


def told_attributes(client: Any, instance_id: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, attribute in ATTRIBUTES.items():
        answer = client.describe_instance_attribute(InstanceId=instance_id, Attribute=attribute)
        if answer[name].get("Value") is not None:
            found[name] = answer[name]["Value"]
    return found


def launched_from(client: Any, row: Mapping[str, Any]) -> dict[str, Any]:
    """``LaunchTemplate``; without the name of a template that is gone."""
    tags = {tag["Key"]: tag["Value"] for tag in row.get("Tags", [])}
    if TEMPLATE_ID not in tags:
        return {}
    found = {"LaunchTemplateId": tags[TEMPLATE_ID], "Version": tags[TEMPLATE_VERSION]}
    try:
        answer = client.describe_launch_templates(LaunchTemplateIds=[tags[TEMPLATE_ID]])
        found["LaunchTemplateName"] = answer["LaunchTemplates"][0]["LaunchTemplateName"]
    except ClientError as error:
        if not is_absence(error):
            raise
    return {"LaunchTemplate": found}


def block_devices(client: Any, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``BlockDeviceMappings``: the instance's volumes."""
    attached = {each["Ebs"]["VolumeId"]: each for each in row.get("BlockDeviceMappings", [])}
    if not attached:
        return []
    volumes = client.describe_volumes(VolumeIds=list(attached))["Volumes"]
    return [
        {
            "DeviceName": attached[volume["VolumeId"]]["DeviceName"],
            "Ebs": {
                **present(volume, *OF_VOLUME),
                "VolumeSize": volume["Size"],
                "DeleteOnTermination": attached[volume["VolumeId"]]["Ebs"]["DeleteOnTermination"],
            },
        }
        for volume in volumes
    ]
