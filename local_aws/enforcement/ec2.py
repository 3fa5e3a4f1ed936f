"""Launch templates, instances and subnets as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from local_aws.enforcement.subject import Subject, as_properties, existing, reading
from local_aws.launch_request import launch_data
from local_aws.service import Call

LAUNCH_TEMPLATE = "AWS::EC2::LaunchTemplate"
SUBNET = "AWS::EC2::Subnet"


@reading("ec2", "CreateLaunchTemplate", "CreateLaunchTemplateVersion")
def launch_template(call: Call) -> Iterator[Subject]:
    yield Subject("ec2:CreateLaunchTemplate", LAUNCH_TEMPLATE, as_properties(call))


@reading("ec2", "RunInstances")
def instances(call: Call) -> Iterator[Subject]:
    yield Subject("ec2:RunInstances", LAUNCH_TEMPLATE, {"LaunchTemplateData": launch_data(call)})


@reading("ec2", "CreateSubnet")
def subnet(call: Call) -> Iterator[Subject]:
    """Alone: that its addresses are free ones of its VPC, moto sees to."""
    yield Subject("ec2:CreateSubnet", SUBNET, as_properties(call))


def existing_subnet(row: dict[str, Any]) -> dict[str, Any]:
    """A subnet as EC2 tells it."""
    return existing(SUBNET, {name: row[name] for name in ("CidrBlock", "AvailabilityZone", "AvailabilityZoneId")})
