"""Subnets that EC2 does not make."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.config.network import Nat
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

EIGHTH = 3
"""Prefix bits: a private subnet takes an eighth of the VPC, the public ones share the last. A test compares them."""


class SubnetTooSmallForEc2(ConfigRule):
    """No subnet that the VPC is divided into is smaller than a /28.

    A private subnet takes an eighth of the VPC. The public ones, there with NAT only, take an eighth each of the last
    eighth, and of a small VPC a /28 each. So with NAT a /25 has room for one zone, a /24 for two, a /23 for four.

    Without this check EC2 rejects the subnet with InvalidSubnet.Range, "The CIDR '10.0.0.224/29' is invalid".
    """

    id = "E1009"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/subnet-sizing.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        vpc, smallest = IPv4Network(config.network.cidr), catalog.limit("subnet_cidr_prefix").require_maximum()
        if vpc.prefixlen > catalog.limit("vpc_cidr_prefix").require_maximum():  # rule E1003
            return
        eighth, zones = vpc.prefixlen + EIGHTH, len(config.network.availability_zones)
        public = 0 if config.network.nat is Nat.NONE else zones
        largest = smallest - EIGHTH - (public - 1).bit_length() if public > 1 else smallest - EIGHTH
        if vpc.prefixlen <= largest:
            return
        enough = vpc.supernet(new_prefix=largest)
        if eighth > smallest:
            why = f"whose private subnets, an eighth each, would be /{eighth}; the smallest of EC2 is /{smallest}"
        else:
            room = 2 ** (smallest - eighth)
            why = (
                f"whose last eighth, a /{eighth}, has room for {room} public subnet{'' if room == 1 else 's'} of "
                f"/{smallest}, the smallest of EC2; with NAT {zones} zones need one each"
            )
        fewer = ", or take fewer availability_zones" if public > 1 and eighth <= smallest else ""
        yield Violation(("network", "cidr"), f"cidr is {vpc}, {why}", f"write {enough} or larger{fewer}")
