"""Subnets with overlapping CIDR blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.template_rules.base import ResourceRule, Violation
from neuron_cluster.template_rules.ec2.address_range import address_range
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.template_resource import TemplateResource

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog


class OverlappingSubnets(ResourceRule):
    """The CIDR blocks of a VPC's subnets do not overlap (`CidrBlock`)."""

    id = "E8123"
    operation = "ec2:CreateSubnet"
    error_code = "InvalidSubnet.Conflict"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"
    types = ("AWS::EC2::Subnet",)

    def check(self, resource: TemplateResource, look_up: LookUp, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        here = address_range(resource)
        for other in look_up.resources("AWS::EC2::Subnet"):
            if other is resource:
                return  # each pair once: those that come later report it
            there = address_range(other)
            is_same_vpc = other.properties.get("VpcId") == resource.properties.get("VpcId")
            if is_same_vpc and here is not None and there is not None and here.overlaps(there):
                yield Violation(
                    "CidrBlock",
                    f"{here} overlaps {there}, the CIDR block of {other.logical_id}",
                    "write a CIDR block of the VPC that overlaps no other subnet",
                    f"The CIDR '{here}' conflicts with another subnet",
                )
