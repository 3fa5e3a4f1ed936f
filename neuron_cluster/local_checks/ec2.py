"""Launch templates, instances and subnets as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.contract import Call
from local_aws.handlers.shapes import call_as_properties
from local_aws.launch import launch_data
from neuron_cluster.local_checks.rule_input import RuleInput, request_reader

LAUNCH_TEMPLATE = "AWS::EC2::LaunchTemplate"
SUBNET = "AWS::EC2::Subnet"


@request_reader("ec2", "CreateLaunchTemplate", "CreateLaunchTemplateVersion")
def launch_template(call: Call) -> Iterator[RuleInput]:
    yield RuleInput("ec2:CreateLaunchTemplate", LAUNCH_TEMPLATE, call_as_properties(call))


@request_reader("ec2", "RunInstances")
def instances(call: Call) -> Iterator[RuleInput]:
    yield RuleInput("ec2:RunInstances", LAUNCH_TEMPLATE, {"LaunchTemplateData": launch_data(call)})


@request_reader("ec2", "CreateSubnet")
def subnet(call: Call) -> Iterator[RuleInput]:
    """Alone: that its addresses are free ones of its VPC, moto sees to."""
    yield RuleInput("ec2:CreateSubnet", SUBNET, call_as_properties(call))
