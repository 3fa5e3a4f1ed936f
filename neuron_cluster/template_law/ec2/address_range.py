"""The address range of a VPC or subnet, where the template tells it."""

from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.template_law.property_tree import at, text
from neuron_cluster.template_law.template_resource import TemplateResource


def address_range(resource: TemplateResource | None) -> IPv4Network | None:
    """CidrBlock as a network; None where it is no valid one or cannot be told."""
    cidr = text(at(resource.properties, "CidrBlock")) if resource is not None else None
    try:
        return IPv4Network(cidr) if cidr is not None else None
    except ValueError:
        return None
