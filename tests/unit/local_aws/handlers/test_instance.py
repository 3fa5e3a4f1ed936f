"""Instances do what their launch template says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

TYPE = "AWS::EC2::Instance"
DATA = {
    "InstanceType": "inf2.xlarge",
    "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 2},
    "BlockDeviceMappings": [
        {"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 100, "VolumeType": "gp3", "Encrypted": True}}
    ],
    "TagSpecifications": [{"ResourceType": "volume", "Tags": [{"Key": "kind", "Value": "root"}]}],
}


@pytest.fixture
def base(bench: Any) -> dict[str, Any]:
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    subnet = bench.create("AWS::EC2::Subnet", {"VpcId": vpc, "CidrBlock": "10.0.0.0/24"}).physical_id
    group = bench.create("AWS::EC2::SecurityGroup", {"VpcId": vpc, "GroupDescription": "x"}).physical_id
    return {"ImageId": "ami-0123456789abcdef0", "SubnetId": subnet, "SecurityGroupIds": [group]}


def test_the_launch_template_counts(bench: Any, base: dict[str, Any], holds: Callable[[Any, Any], bool]) -> None:
    """Its type, IMDSv2, volumes and volume tags; what the instance says itself wins, member by member."""
    template = bench.create("AWS::EC2::LaunchTemplate", {"LaunchTemplateData": DATA})
    named = {"LaunchTemplateId": template.physical_id, "Version": template.attributes["LatestVersionNumber"]}
    properties = {**base, "LaunchTemplate": named, "MetadataOptions": {"HttpPutResponseHopLimit": 1}}
    found = bench.read(TYPE, bench.create(TYPE, properties))
    assert found["InstanceType"] == "inf2.xlarge"
    assert holds(found["MetadataOptions"], {"HttpTokens": "required", "HttpPutResponseHopLimit": 1})
    volumes = bench.client("ec2").describe_volumes()["Volumes"]
    assert [(volume["Size"], volume["Encrypted"], volume["Tags"]) for volume in volumes] == [
        (100, True, [{"Key": "kind", "Value": "root"}])
    ]


def test_what_it_was_launched_from_and_with_is_told(
    bench: Any, base: dict[str, Any], holds: Callable[[Any, Any], bool]
) -> None:
    template = bench.create("AWS::EC2::LaunchTemplate", {"LaunchTemplateData": DATA, "LaunchTemplateName": "box"})
    root = {"DeviceName": "/dev/sda1", "Ebs": {"VolumeSize": 50, "VolumeType": "gp3", "DeleteOnTermination": True}}
    properties = {
        **base,
        "LaunchTemplate": {"LaunchTemplateId": template.physical_id, "Version": "1"},
        "BlockDeviceMappings": [root],
        "InstanceInitiatedShutdownBehavior": "stop",
    }
    found = bench.read(TYPE, bench.create(TYPE, properties))
    assert holds(found, properties)
    assert found["LaunchTemplate"]["LaunchTemplateName"] == "box"


def test_round_trip(bench: Any, base: dict[str, Any], holds: Callable[[Any, Any], bool]) -> None:
    """Create, update in place, terminate; its interface goes with it."""
    old = {
        **base,
        "InstanceType": "inf2.xlarge",
        "UserData": "aGVsbG8=",
        "EbsOptimized": True,
        "MetadataOptions": {"HttpTokens": "required"},
        "SourceDestCheck": False,
        "Tags": [{"Key": "a", "Value": "b"}],
    }
    new = {
        **old,
        "InstanceType": "inf2.8xlarge",
        "MetadataOptions": {"HttpTokens": "optional"},
        "SourceDestCheck": True,
        "Tags": [{"Key": "a", "Value": "c"}],
    }
    instance = bench.create(TYPE, old)
    assert holds(bench.read(TYPE, instance), old)
    bench.update(TYPE, instance, old, new)
    assert holds(bench.read(TYPE, instance), new)
    with pytest.raises(ParamValidationError, match="UserData"):
        bench.update(TYPE, instance, new, {**new, "UserData": ""})
    bench.delete(TYPE, instance, new)
    with pytest.raises(ClientError, match=r"InvalidInstanceID\.NotFound"):
        bench.read(TYPE, instance)
    assert bench.client("ec2").describe_network_interfaces()["NetworkInterfaces"] == []


def test_user_data_is_base64(bench: Any, base: dict[str, Any]) -> None:
    """Lines of it are, too."""
    with pytest.raises(ClientError, match="Invalid BASE64 encoding of user data"):
        bench.create(TYPE, {**base, "InstanceType": "inf2.xlarge", "UserData": "echo !!"})
    made = bench.create(TYPE, {**base, "InstanceType": "inf2.xlarge", "UserData": "aGVs\nbG8=\n"}).physical_id
    asked = bench.client("ec2").describe_instance_attribute(InstanceId=made, Attribute="userData")
    assert asked["UserData"]["Value"] == "aGVsbG8="
