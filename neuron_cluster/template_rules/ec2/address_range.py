"""CIDR blocks in templates."""

from __future__ import annotations

from ipaddress import IPv4Network, ip_network
from typing import Any

from neuron_cluster.template_rules.property_tree import at, text
from neuron_cluster.template_rules.template_resource import TemplateResource

HALF = 1
"""Prefix length of a CIDR block with half of all addresses: two such blocks contain every address."""


def prefix_bits(cidr: Any) -> int | None:
    """The prefix length of a CIDR block, with or without host bits; None where it is invalid or unknown."""
    try:
        return ip_network(text(cidr) or "", strict=False).prefixlen
    except ValueError:
        return None


def address_range(resource: TemplateResource | None) -> IPv4Network | None:
    """CidrBlock of a VPC or subnet; None where it is invalid or unknown."""
    cidr = text(at(resource.properties, "CidrBlock")) if resource is not None else None
    try:
        return IPv4Network(cidr) if cidr is not None else None
    except ValueError:
        return None
