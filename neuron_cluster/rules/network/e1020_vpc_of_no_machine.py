"""A VPC of addresses that no machine can have."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.special_addresses import range_of_no_machine

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

EXAMPLES = ("10.20.0.0/16", "172.31.0.0/16", "192.168.0.0/20")


class VpcOfNoMachine(ConfigRule):
    """The addresses of the VPC are such as a machine can have: not loopback, link-local, multicast or reserved.

    Without this check EC2 rejects the VPC at the first deploy, or makes one whose nodes cannot reach each other; the
    guide to VPCs names the ranges to take, not those that are rejected.
    """

    id = "E1020"
    source = (
        "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html; "
        "https://www.iana.org/assignments/iana-ipv4-special-registry"
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        given = IPv4Network(config.network.cidr)
        if found := range_of_no_machine(given):
            range_, word = found
            yield Violation(
                ("network", "cidr"),
                f"cidr is {given}, which is {word} ({range_}): no machine can have such an address",
                f"write a private range, such as {listed(EXAMPLES, 'or')}",
            )
