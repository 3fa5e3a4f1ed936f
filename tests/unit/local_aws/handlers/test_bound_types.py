"""Types without code, with each property that they support: created, read, updated, taken back, deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.exceptions import ClientError, ParamValidationError

from local_aws.handlers.generic import supported_properties
from local_aws.resource_types.binding import bindings
from tests.every_case import every_case
from tests.unit.local_aws.handlers import container_cases

TAGS = [{"Key": "Name", "Value": "first"}, {"Key": "gone", "Value": "later"}]
NEW_TAGS = [{"Key": "Name", "Value": "second"}]
QUEUE = "arn:aws:sqs:us-west-2:200000000000:dead"
ROLE = "arn:aws:iam::200000000000:role/sends"
GROUP = "group"
PARAMETER = "/aws/service/neuron/dlami/base/ubuntu-24.04/latest/image_id"
TARGET = {"Arn": QUEUE, "RoleArn": ROLE, "Input": "{}"}

NETWORKING = {"SubnetIds": ["subnet-11111111"], "SecurityGroupIds": ["sg-11111111"], "NetworkType": "IPV4"}
SCRIPT = {"Name": "mount", "ScriptSource": {"ScriptLocation": "s3://scripts-here/mount.sh"}, "OnError": "CONTINUE"}
Case = tuple[dict[str, Any], dict[str, Any]]
CASES: dict[str, Case] = {
    "AWS::SQS::Queue": (
        {
            "QueueName": "jobs",
            "DelaySeconds": 5,
            "KmsDataKeyReusePeriodSeconds": 600,
            "KmsMasterKeyId": "alias/aws/sqs",
            "MaximumMessageSize": 2048,
            "MessageRetentionPeriod": 3600,
            "ReceiveMessageWaitTimeSeconds": 20,
            "RedrivePolicy": {"deadLetterTargetArn": QUEUE, "maxReceiveCount": 3},
            "VisibilityTimeout": "60",
            "Tags": TAGS,
        },
        {"QueueName": "jobs", "DelaySeconds": 7, "VisibilityTimeout": 90, "Tags": NEW_TAGS},
    ),
    "AWS::SNS::Topic": (
        {
            "TopicName": "calls.fifo",
            "ContentBasedDeduplication": True,
            "DisplayName": "Calls",
            "FifoTopic": True,
            "KmsMasterKeyId": "alias/aws/sns",
            "Tags": TAGS,
        },
        {"TopicName": "calls.fifo", "DisplayName": "Other calls", "FifoTopic": True, "Tags": NEW_TAGS},
    ),
    "AWS::Scheduler::ScheduleGroup": ({"Name": "nights", "Tags": TAGS}, {"Name": "nights", "Tags": NEW_TAGS}),
    "AWS::Scheduler::Schedule": (
        {
            "Name": "nightly",
            "Description": "at night",
            "FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15},
            "ScheduleExpression": "cron(0 1 * * ? *)",
            "ScheduleExpressionTimezone": "Europe/Vienna",
            "State": "DISABLED",
            "Target": TARGET,
        },
        {
            "Name": "nightly",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ScheduleExpression": "rate(1 hour)",
            "Target": TARGET,
        },
    ),
    "AWS::AutoScaling::LifecycleHook": (
        {
            "AutoScalingGroupName": GROUP,
            "LifecycleHookName": "drain",
            "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING",
            "DefaultResult": "CONTINUE",
            "HeartbeatTimeout": 300,
            "NotificationMetadata": "nodes",
            "NotificationTargetARN": QUEUE,
            "RoleARN": ROLE,
        },
        {
            "AutoScalingGroupName": GROUP,
            "LifecycleHookName": "drain",
            "LifecycleTransition": "autoscaling:EC2_INSTANCE_TERMINATING",
            "DefaultResult": "ABANDON",
            "HeartbeatTimeout": 60,
        },
    ),
    "AWS::AutoScaling::ScheduledAction": (
        {"AutoScalingGroupName": GROUP, "Recurrence": "0 1 * * *", "MinSize": 0, "MaxSize": 2, "DesiredCapacity": 1},
        {"AutoScalingGroupName": GROUP, "Recurrence": "0 2 * * *", "MinSize": 0, "MaxSize": 1, "DesiredCapacity": 0},
    ),
    "AWS::PCS::Cluster": (
        {
            "Name": "slurm",
            "Networking": NETWORKING,
            "Scheduler": {"Type": "SLURM", "Version": "25.05"},
            "Size": "SMALL",
            "SlurmConfiguration": {"ScaleDownIdleTimeInSeconds": 300},
            "Tags": {"Name": "first", "gone": "later"},
        },
        {
            "Name": "slurm",
            "Networking": NETWORKING,
            "Scheduler": {"Type": "SLURM", "Version": "25.11"},
            "Size": "SMALL",
            "SlurmConfiguration": {"ScaleDownIdleTimeInSeconds": 600},
            "Tags": {"Name": "second"},
        },
    ),
    "AWS::PCS::ComputeNodeGroup": (
        {
            "AmiId": "ami-12345678",
            "ClusterId": "{cluster}",
            "CustomLaunchTemplate": {"TemplateId": "lt-12345678", "Version": "1"},
            "IamInstanceProfileArn": "arn:aws:iam::200000000000:instance-profile/AWSPCS-nodes",
            "InstanceConfigs": [{"InstanceType": "trn1.32xlarge"}],
            "Name": "trainium",
            "NodeLifecycleActions": {"Stages": {"NodeReady": [SCRIPT]}},
            "PurchaseOption": "ONDEMAND",
            "ScalingConfiguration": {"MinInstanceCount": 0, "MaxInstanceCount": 2},
            "SlurmConfiguration": {"SlurmCustomSettings": [{"ParameterName": "Weight", "ParameterValue": "1"}]},
            "SpotOptions": {"AllocationStrategy": "lowest-price"},
            "SubnetIds": ["subnet-11111111"],
            "Tags": {"Name": "first"},
        },
        {
            "AmiId": "ami-12345678",
            "NodeLifecycleActions": {"Stages": {"NodeReady": [SCRIPT]}},
            "PurchaseOption": "SPOT",
            "SlurmConfiguration": {"SlurmCustomSettings": []},
            "SpotOptions": {"AllocationStrategy": "capacity-optimized"},
            "ClusterId": "{cluster}",
            "CustomLaunchTemplate": {"TemplateId": "lt-12345678", "Version": "2"},
            "IamInstanceProfileArn": "arn:aws:iam::200000000000:instance-profile/AWSPCS-nodes",
            "InstanceConfigs": [{"InstanceType": "trn1.32xlarge"}],
            "Name": "trainium",
            "ScalingConfiguration": {"MinInstanceCount": 1, "MaxInstanceCount": 4},
            "SubnetIds": ["subnet-22222222"],
        },
    ),
    "AWS::PCS::Queue": (
        {
            "ClusterId": "{cluster}",
            "Name": "long",
            "ComputeNodeGroupConfigurations": [{"ComputeNodeGroupId": "{node group}"}],
            "SlurmConfiguration": {"SlurmCustomSettings": [{"ParameterName": "MaxTime", "ParameterValue": "60"}]},
            "Tags": {"Name": "first"},
        },
        {
            "ClusterId": "{cluster}",
            "Name": "long",
            "ComputeNodeGroupConfigurations": [],
            "SlurmConfiguration": {"SlurmCustomSettings": []},
            "Tags": {"Name": "second"},
        },
    ),
    "AWS::EFS::AccessPoint": (
        {
            "FileSystemId": "{file system}",
            "PosixUser": {"Uid": "1000", "Gid": "1000", "SecondaryGids": ["1001"]},
            "RootDirectory": {
                "Path": "/home",
                "CreationInfo": {"OwnerUid": "1000", "OwnerGid": "1000", "Permissions": "0755"},
            },
            "AccessPointTags": TAGS,
        },
        {
            "FileSystemId": "{file system}",
            "PosixUser": {"Uid": "1000", "Gid": "1000", "SecondaryGids": ["1001"]},
            "RootDirectory": {
                "Path": "/home",
                "CreationInfo": {"OwnerUid": "1000", "OwnerGid": "1000", "Permissions": "0755"},
            },
            "AccessPointTags": NEW_TAGS,
        },
    ),
    **container_cases.CASES,
}

FIXTURES = [
    yaml.safe_load(path.read_text())
    for path in sorted((Path(__file__).parents[3] / "fixtures" / "local_aws" / "bound_types").glob("*.yaml"))
]
"""Further cases by service, and the resources to which they refer by name, each with the attribute that names it."""
for _fixture in FIXTURES:
    CASES |= {name: (first, then) for name, (first, then) in _fixture["cases"].items()}


@pytest.fixture(scope="module")
def ground() -> Callable[[Any], dict[str, str]]:
    """Makes what the cases refer to."""

    def make(bench: Any) -> dict[str, str]:
        bench.client("sqs").create_queue(QueueName="dead")
        for name, service in (("sends", "scheduler"), ("backup", "backup")):
            trust = {
                "Effect": "Allow",
                "Principal": {"Service": f"{service}.amazonaws.com"},
                "Action": "sts:AssumeRole",
            }
            policy = {"Version": "2012-10-17", "Statement": [trust]}
            bench.create("AWS::IAM::Role", {"RoleName": name, "AssumeRolePolicyDocument": policy})
        template = {"LaunchTemplateData": {"ImageId": "ami-12345678", "InstanceType": "m7i.large"}}
        vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
        place = {"VpcId": vpc, "CidrBlock": "10.0.1.0/24", "AvailabilityZoneId": "usw2-az1"}
        subnet = bench.create("AWS::EC2::Subnet", place).physical_id
        scaled = {
            "AutoScalingGroupName": GROUP,
            "MinSize": "0",
            "MaxSize": "2",
            "LaunchTemplate": {
                "LaunchTemplateId": bench.create("AWS::EC2::LaunchTemplate", template).physical_id,
                "Version": "1",
            },
            "VPCZoneIdentifier": [subnet],
        }
        bench.create("AWS::AutoScaling::AutoScalingGroup", scaled)
        cluster = bench.create("AWS::PCS::Cluster", {**CASES["AWS::PCS::Cluster"][0], "Name": "held"}).attributes["Id"]
        group = placed(CASES["AWS::PCS::ComputeNodeGroup"][0], {"cluster": cluster})
        node_group = bench.create("AWS::PCS::ComputeNodeGroup", {**group, "Name": "held"}).attributes["Id"]
        names = {
            "cluster": cluster,
            "node group": node_group,
            "file system": bench.client("efs").create_file_system(CreationToken="home")["FileSystemId"],
            "ami": bench.client("ssm").get_parameter(Name=PARAMETER)["Parameter"]["Value"],
            **container_cases.make_ground(bench, vpc, subnet),
        }
        for name, each in ((name, each) for fixture in FIXTURES for name, each in fixture.get("ground", {}).items()):
            made = bench.create(each["type"], placed(each["properties"], names))
            names[name] = made.attributes[each["attribute"]] if "attribute" in each else made.physical_id
        return names

    return make


def placed(value: Any, names: Mapping[str, str]) -> Any:
    """The value with the ids of what it refers to."""
    text = json.dumps(value)
    for name, each in names.items():
        text = text.replace(f"{{{name}}}", each)
    return json.loads(text)


@pytest.mark.slow
def test_each_supported_property_goes_round(bench: Any, ground: Any, holds: Callable[[Any, Any], bool]) -> None:
    """One local AWS for all: what moto drops, or CloudFormation would lose in an update, is found here."""
    names = ground(bench)
    for name, case in CASES.items():
        type_name = name.partition(" ")[0]
        first, then = placed(case, names)
        first, then = ({name: value for name, value in each.items() if value is not None} for each in (first, then))
        readable = [name for name in first if name not in bindings()[type_name].write_only]
        resource = bench.create(type_name, first)
        read = bench.read(type_name, resource)
        assert [name for name in readable if not holds(read.get(name), first[name])] == [], type_name
        assert bench.update(type_name, resource, first, then).physical_id == resource.physical_id
        read = bench.read(type_name, resource)
        assert [name for name in readable if name in then and not holds(read.get(name), then[name])] == [], type_name
        assert [name for name in readable if name not in then and holds(read.get(name), first[name])] == [], type_name
        bench.update(type_name, resource, then, first)
        read = bench.read(type_name, resource)
        assert [name for name in readable if not holds(read.get(name), first[name])] == [], type_name
        bench.delete(type_name, resource, first)
        with pytest.raises(ClientError):
            bench.read(type_name, resource)
        bench.delete(type_name, resource, first)


def test_the_cases_have_each_supported_property() -> None:
    """A second case of a type, for properties that exclude each other, is named after it: ``type (case)``."""
    missing = {name.partition(" ")[0]: supported_properties(bindings()[name.partition(" ")[0]]) for name in CASES}
    for name, case in CASES.items():
        missing[name.partition(" ")[0]] -= set(case[0])
    assert {name: left for name, left in missing.items() if left} == {}


def unsupported() -> Iterator[tuple[str, str]]:
    return ((name, each) for name, binding in bindings().items() for each in binding.refused)


@every_case("type_name", sorted(bindings()))
def test_a_property_without_a_binding_is_refused_by_name(bench: Any, type_name: str) -> None:
    for each in [name for kind, name in unsupported() if kind == type_name]:
        with pytest.raises(ParamValidationError, match=rf"does not carry the property .*\b{each}\b"):
            bench.create(type_name, {each: "x"})
