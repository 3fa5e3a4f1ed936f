"""Ranges of IPv4 addresses that are not what they look like: private ones, and those that no machine can have."""

from __future__ import annotations

from ipaddress import IPv4Network

PRIVATE = tuple(IPv4Network(cidr) for cidr in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
"""Source: RFC 1918."""

SHARED = IPv4Network("100.64.0.0/10")
"""Between a provider and its customers: good in a VPC, seen nowhere on the internet. Source: RFC 6598."""

OF_NO_MACHINE = {
    IPv4Network("0.0.0.0/8"): '"this network"',
    IPv4Network("127.0.0.0/8"): "loopback",
    IPv4Network("169.254.0.0/16"): "link-local",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}
"""With the word for each. Source: https://www.iana.org/assignments/iana-ipv4-special-registry, where none of them is
forwardable; RFC 5771 for multicast."""

OF_EXAMPLES = {
    IPv4Network("192.0.2.0/24"): "documentation",
    IPv4Network("198.51.100.0/24"): "documentation",
    IPv4Network("203.0.113.0/24"): "documentation",
    IPv4Network("198.18.0.0/15"): "benchmarks",
}
"""With what each is kept for: nobody has these addresses. Source: RFC 5737, RFC 2544."""


def range_of_examples(network: IPv4Network) -> tuple[IPv4Network, str] | None:
    """The range for examples that holds this network, and what it is kept for; None when somebody may have it."""
    return next(((range_, use) for range_, use in OF_EXAMPLES.items() if network.subnet_of(range_)), None)


def range_of_no_machine(network: IPv4Network) -> tuple[IPv4Network, str] | None:
    """The range that holds this network, and its word; None when machines can have its addresses."""
    return next(((range_, word) for range_, word in OF_NO_MACHINE.items() if network.subnet_of(range_)), None)
