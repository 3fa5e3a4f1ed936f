"""VPC CIDR size."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.own_range import own_range
from neuron_cluster.rules.special_addresses import PRIVATE

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class VpcSize(ConfigRule):
    """The VPC CIDR is between /16 and /28 (`network.cidr`).

    Without this check EC2 rejects the VPC with InvalidVpc.Range, "The CIDR '10.0.0.0/8' is invalid".
    """

    id = "E1003"
    source = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        given = own_range(environment.config)
        if given is None:
            return
        limit = catalog.limit("vpc_cidr_prefix")
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
