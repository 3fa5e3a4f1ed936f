from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.ec2.address_range import address_range


class SubnetOutsideVpc(TemplateRule):
    """A subnet's CIDR block is inside a CIDR block of its VPC (`CidrBlock`)."""

    id = "E8122"
    operation = "ec2:CreateSubnet"
    error_code = "InvalidSubnet.Range"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"
    types = ("AWS::EC2::Subnet",)

    def check(self, context: TemplateContext) -> Violations:
        look_up = context.look_up
        subnet = address_range(context.resource)
        vpc_id = context.resource.properties.get("VpcId")
        vpc = address_range(look_up.referred(vpc_id))
        if subnet is None or vpc is None:
            return
        added = [each for each in look_up.resources("AWS::EC2::VPCCidrBlock") if each.properties.get("VpcId") == vpc_id]
        ranges = [vpc, *(found for found in map(address_range, added) if found is not None)]
        if not any(map(subnet.subnet_of, ranges)):
            message = f"The CIDR '{subnet}' is invalid."
            have = " and ".join(map(str, ranges))
            hint = f"write a CIDR block inside {have} that overlaps no other subnet of the VPC"
            yield Violation("CidrBlock", f"{subnet} is not inside the VPC's {have}", hint, message)
