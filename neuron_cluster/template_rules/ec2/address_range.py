"""Address ranges, where the template tells them."""

from __future__ import annotations

from ipaddress import IPv4Network, ip_network
from typing import Any

from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.template_resource import TemplateResource

HALF = 1
"""Bits of the prefix of a range with half of all addresses: two such ranges are every one."""


def prefix_bits(cidr: Any) -> int | None:
    """How many bits of an address the range fixes, however it is written; None where it is none or cannot be told."""
    try:
        return ip_network(text(cidr) or "", strict=False).prefixlen
    except ValueError:
        return None


def address_range(resource: TemplateResource | None) -> IPv4Network | None:
    """CidrBlock of a VPC or subnet as a network; None where it is no valid one or cannot be told."""
    cidr = text(at(resource.properties, "CidrBlock")) if resource is not None else None
    try:
        return IPv4Network(cidr) if cidr is not None else None
    except ValueError:
        return None
