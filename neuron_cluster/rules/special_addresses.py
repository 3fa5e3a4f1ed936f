"""Special ranges of IPv4 addresses: private, non-assignable and documentation ranges."""

from __future__ import annotations

from ipaddress import IPv4Network

PRIVATE = tuple(IPv4Network(cidr) for cidr in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
"""Source: RFC 1918."""

SHARED = IPv4Network("100.64.0.0/10")
"""Shared address space: allowed in a VPC, not routed on the internet. Source: RFC 6598."""

NON_ASSIGNABLE = {
    IPv4Network("0.0.0.0/8"): '"this network"',
    IPv4Network("127.0.0.0/8"): "loopback",
    IPv4Network("169.254.0.0/16"): "link-local",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}
"""With the name of each. Source: https://www.iana.org/assignments/iana-ipv4-special-registry, where none of them is
forwardable; RFC 5771 for multicast."""

DOCUMENTATION_RANGES = {
    IPv4Network("192.0.2.0/24"): "documentation",
    IPv4Network("198.51.100.0/24"): "documentation",
    IPv4Network("203.0.113.0/24"): "documentation",
    IPv4Network("198.18.0.0/15"): "benchmarks",
}
"""With the purpose of each. Source: RFC 5737, RFC 2544."""


def documentation_range(network: IPv4Network) -> tuple[IPv4Network, str] | None:
    """The documentation range that contains this network, and its purpose; None when there is none."""
    return next(((range_, use) for range_, use in DOCUMENTATION_RANGES.items() if network.subnet_of(range_)), None)


def non_assignable_range(network: IPv4Network) -> tuple[IPv4Network, str] | None:
    """The non-assignable range that contains this network, and its name; None when addresses can be assigned."""
    return next(((range_, word) for range_, word in NON_ASSIGNABLE.items() if network.subnet_of(range_)), None)
