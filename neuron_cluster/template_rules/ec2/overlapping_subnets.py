from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.address_range import address_range


class OverlappingSubnets(TemplateRule):
    """The CIDR blocks of a VPC's subnets do not overlap (`CidrBlock`)."""

    id = "E8123"
    operation = "ec2:CreateSubnet"
    error_code = "InvalidSubnet.Conflict"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"
    types = ("AWS::EC2::Subnet",)

    def check(self, context: TemplateContext) -> Violations:
        here = address_range(context.resource)
        for other in context.look_up.resources("AWS::EC2::Subnet"):
            if other is context.resource:
                return  # each pair once: those that come later report it
            there = address_range(other)
            is_same_vpc = other.properties.get("VpcId") == context.resource.properties.get("VpcId")
            if is_same_vpc and here is not None and there is not None and here.overlaps(there):
                yield Violation(
                    "CidrBlock",
                    f"{here} overlaps {there}, the CIDR block of {other.logical_id}",
                    "write a CIDR block of the VPC that overlaps no other subnet",
                    f"The CIDR '{here}' conflicts with another subnet",
                )
