from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.own_range import own_range
from neuron_cluster.rules.special_addresses import PRIVATE


class VpcSize(Rule):
    """The VPC CIDR is between /16 and /28 (`network.cidr`).

    Without this check EC2 rejects the VPC with InvalidVpc.Range, "The CIDR '10.0.0.0/8' is invalid".
    """

    id = "E1003"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html"

    def check(self, context: RuleContext) -> Violations:
        given = own_range(context.environment.config)
        if given is None:
            return
        limit = context.catalog.limits["vpc_cidr_prefix"]
        largest, smallest = limit.require_minimum(), limit.require_maximum()
        if largest <= given.prefixlen <= smallest:
            return
        size = "larger" if given.prefixlen < largest else "smaller"
        yield Violation(
            ("network", "cidr"),
            f"cidr is {given}, {size} than AWS allows: a VPC CIDR is between /{largest} and /{smallest}",
            f"write {_address(given)}/{largest}, which gives each zone the most addresses",
        )


def _address(given: IPv4Network) -> IPv4Address:
    """The given address if it is in a private range, else the first address of the first private range."""
    return given.network_address if any(given.subnet_of(each) for each in PRIVATE) else PRIVATE[0].network_address
