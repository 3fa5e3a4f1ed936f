"""Parts of a launched machine: the groups of its interfaces, and volumes as fast as asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

DEVICE = "/dev/sda1"
VOLUME = {"VolumeSize": 100, "VolumeType": "gp3", "Iops": 4000, "Throughput": 250, "Encrypted": True}


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


def launched(ec2: Any, **asked: Any) -> dict[str, Any]:
    given = {"ImageId": "ami-12345678", "InstanceType": "inf2.xlarge", "MinCount": 1, "MaxCount": 1, **asked}
    made = ec2.run_instances(**given)["Instances"][0]["InstanceId"]
    return dict(ec2.describe_instances(InstanceIds=[made])["Reservations"][0]["Instances"][0])


def ids(groups: list[dict[str, str]]) -> set[str]:
    return {group["GroupId"] for group in groups}


def test_an_instance_has_the_groups_of_its_primary_interface(ec2: Any, ground: Any) -> None:
    second = ec2.create_security_group(GroupName="second", Description="second", VpcId=ground.vpc)["GroupId"]
    interfaces = [
        {"DeviceIndex": index, "SubnetId": ground.subnets[0], "Groups": [group]}
        for index, group in enumerate((ground.group, second))
    ]
    instance = launched(ec2, NetworkInterfaces=interfaces)
    assert ids(instance["SecurityGroups"]) == {ground.group}
    reported = {each["Attachment"]["DeviceIndex"]: ids(each["Groups"]) for each in instance["NetworkInterfaces"]}
    assert reported == {0: {ground.group}, 1: {second}}
    found = ec2.describe_instances(Filters=[{"Name": "instance.group-id", "Values": [ground.group]}])["Reservations"]
    assert [each["Instances"][0]["InstanceId"] for each in found] == [instance["InstanceId"]]
    ec2.terminate_instances(InstanceIds=[instance["InstanceId"]])


def test_groups_that_an_instance_is_given_later_are_those_of_its_interface(ec2: Any, ground: Any) -> None:
    later = ec2.create_security_group(GroupName="later", Description="later", VpcId=ground.vpc)["GroupId"]
    instance_id = launched(ec2, SubnetId=ground.subnets[0], SecurityGroupIds=[ground.group])["InstanceId"]
    ec2.modify_instance_attribute(InstanceId=instance_id, Groups=[later])
    instance = ec2.describe_instances(InstanceIds=[instance_id])["Reservations"][0]["Instances"][0]
    assert ids(instance["SecurityGroups"]) == ids(instance["NetworkInterfaces"][0]["Groups"]) == {later}
    ec2.terminate_instances(InstanceIds=[instance_id])


def test_a_volume_of_a_launch_is_as_fast_as_asked_for(ec2: Any, ground: Any) -> None:
    mappings = [{"DeviceName": DEVICE, "Ebs": VOLUME}]
    instance = launched(ec2, SubnetId=ground.subnets[0], BlockDeviceMappings=mappings)
    volume_id = instance["BlockDeviceMappings"][0]["Ebs"]["VolumeId"]
    volume = ec2.describe_volumes(VolumeIds=[volume_id])["Volumes"][0]
    assert (volume["Iops"], volume["Throughput"]) == (4000, 250)
    ec2.terminate_instances(InstanceIds=[instance["InstanceId"]])
