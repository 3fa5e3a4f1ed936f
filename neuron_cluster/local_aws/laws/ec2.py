"""Launch templates, instances and subnets as the laws see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError

from neuron_cluster.local_aws.launch_request import launch_data
from neuron_cluster.local_aws.laws.subject import Subject, as_properties, existing, reading
from neuron_cluster.local_aws.service import Call

LAUNCH_TEMPLATE = "AWS::EC2::LaunchTemplate"
SUBNET = "AWS::EC2::Subnet"
VPC = "AWS::EC2::VPC"


@reading("ec2", "CreateLaunchTemplate", "CreateLaunchTemplateVersion")
def launch_template(call: Call) -> Iterator[Subject]:
    yield Subject("ec2:CreateLaunchTemplate", LAUNCH_TEMPLATE, as_properties(call))


@reading("ec2", "RunInstances")
def instances(call: Call) -> Iterator[Subject]:
    yield Subject("ec2:RunInstances", LAUNCH_TEMPLATE, {"LaunchTemplateData": launch_data(call)})


@reading("ec2", "CreateSubnet")
def subnet(call: Call) -> Iterator[Subject]:
    """With the VPC and its other subnets, which the new one must fit to."""
    properties = as_properties(call)
    yield Subject("ec2:CreateSubnet", SUBNET, {**properties, "VpcId": {"Ref": "Vpc"}}, _of_vpc(call))


def _of_vpc(call: Call) -> dict[str, Any]:
    """A VPC and its subnets; nothing when there is no such VPC, which EC2 then says itself."""
    ec2, vpc_id = call.client("ec2"), call.parameters["VpcId"]
    try:
        vpc = ec2.describe_vpcs(VpcIds=[vpc_id])["Vpcs"][0]
    except ClientError:
        return {}
    subnets = ec2.describe_subnets(Filters=[{"Name": "vpc-id", "Values": [vpc_id]}])["Subnets"]
    primary_only = len(vpc["CidrBlockAssociationSet"]) == 1  # the laws know one range of a VPC
    return {
        "Vpc": existing(VPC, {"CidrBlock": vpc["CidrBlock"]} if primary_only else {}),
        **{
            f"Subnet{number}": existing(SUBNET, {"CidrBlock": each["CidrBlock"], "VpcId": {"Ref": "Vpc"}})
            for number, each in enumerate(subnets)
        },
    }


def existing_subnet(row: dict[str, Any]) -> dict[str, Any]:
    """A subnet as EC2 tells it."""
    return existing(SUBNET, {name: row[name] for name in ("CidrBlock", "AvailabilityZone", "AvailabilityZoneId")})
