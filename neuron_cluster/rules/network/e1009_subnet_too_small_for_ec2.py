"""Subnets that EC2 does not make."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig

PRIVATE_BITS, PUBLIC_BITS = 3, 6
"""A private subnet takes an eighth of the VPC, a public one an eighth of an eighth. A test compares the plan."""


class SubnetTooSmallForEc2(ConfigRule):
    """No subnet that the VPC is divided into is smaller than a /28.

    A private subnet takes an eighth of the VPC; a public one, there with NAT only, an eighth of an eighth.

    Without it: EC2 refuses the subnet with InvalidSubnet.Range, "The CIDR '10.0.0.224/29' is invalid".
    """

    id = "E1009"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        vpc, smallest = IPv4Network(config.network.cidr), catalog.limit("subnet_cidr_prefix").maximum or 32
        if vpc.prefixlen > (catalog.limit("vpc_cidr_prefix").maximum or 32):  # rule E1003
            return
        kind, bits = ("private", PRIVATE_BITS) if config.network.nat is Nat.NONE else ("public", PUBLIC_BITS)
        if vpc.prefixlen + bits <= smallest:
            return
        enough = vpc.supernet(new_prefix=smallest - bits)
        yield Problem(
            ("network", "cidr"),
            f"cidr is {vpc}, whose {kind} subnets would be /{vpc.prefixlen + bits}; the smallest that EC2 makes is "
            f"/{smallest}",
            f"write {enough} or larger",
        )
