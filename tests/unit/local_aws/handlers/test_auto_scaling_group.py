"""Signals of an Auto Scaling group of a template, and properties that are not supported."""

from __future__ import annotations

import pytest
from botocore.exceptions import ParamValidationError

from local_aws.engine.status_reasons import ResourceFailedError

TYPE = "AWS::AutoScaling::AutoScalingGroup"


@pytest.fixture
def properties(bench):
    """Returns properties of a group in a zone that does not offer its type."""
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    place = {"VpcId": vpc, "CidrBlock": "10.0.0.0/24", "AvailabilityZoneId": "usw2-az2"}
    data = {"ImageId": "ami-12345678", "InstanceType": "trn1.32xlarge"}
    template = bench.create("AWS::EC2::LaunchTemplate", {"LaunchTemplateData": data}).physical_id
    return {
        "MaxSize": "1",
        "LaunchTemplate": {"LaunchTemplateId": template, "Version": "1"},
        "VPCZoneIdentifier": [bench.create("AWS::EC2::Subnet", place).physical_id],
    }


def test_the_smallest_number_is_waited_for_and_a_group_that_fails_is_taken_back(bench, properties):
    text = r"group size = \{0/1/1\}\. Failed Scaling Activity: Your requested instance type \(trn1\.32xlarge\)"
    with pytest.raises(ResourceFailedError, match=text):
        bench.create(TYPE, {**properties, "MinSize": "1"})
    bench.create(TYPE, {**properties, "MinSize": "0"})


def test_a_property_that_is_not_carried_is_refused(bench, properties):
    with pytest.raises(ParamValidationError, match="does not carry the property MixedInstancesPolicy"):
        bench.create(TYPE, {**properties, "MinSize": "0", "MixedInstancesPolicy": {}})


def test_instances_are_replaced_in_batches(bench, properties):
    vpc = bench.create("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16"}).physical_id
    place = {"VpcId": vpc, "CidrBlock": "10.0.1.0/24", "AvailabilityZoneId": "usw2-az4"}
    there = [bench.create("AWS::EC2::Subnet", place).physical_id]
    group = bench.create(TYPE, {**properties, "MinSize": "3", "MaxSize": "3", "VPCZoneIdentifier": there})

    def instances():
        row = client.describe_auto_scaling_groups(AutoScalingGroupNames=[group.physical_id])["AutoScalingGroups"][0]
        return {each["InstanceId"] for each in row["Instances"]}

    client = bench.client("autoscaling")
    before = instances()
    batches = bench.providers[TYPE].replace_instances(bench.context(), group, 2)
    left = [(count, len(instances() & before), len(instances())) for count in batches]
    assert left == [(2, 1, 3), (1, 0, 3)]
