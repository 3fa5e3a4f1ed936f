"""A new subnet is made before the old ones go: it cannot have addresses that one of them holds."""

from __future__ import annotations

import ipaddress
from typing import Any

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.network_edit import way_out
from neuron_cluster.changes.guards.wording import place
from neuron_cluster.changes.normal_form import Address, references
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.finding import Finding

SUBNET = "AWS::EC2::Subnet"


def overlapping_subnet_refusals(comparison: Comparison) -> list[Finding]:
    """E9008, once for each subnet that comes. Source: EC2 CreateSubnet, InvalidSubnet.Conflict."""
    coming = [a for a in (*comparison.replaced, *comparison.added) if _is_subnet(comparison.after, a)]
    standing = [a for a in sorted(comparison.before.addresses()) if _is_subnet(comparison.before, a)]
    found = []
    for address in coming:
        new = comparison.after.properties(address)
        in_the_way = next((old for old in standing if _overlap(comparison, new, old)), None)
        if in_the_way is not None:
            found.append(_refusal(comparison, address, in_the_way))
    return found


def _is_subnet(stacks: StackSet, address: Address) -> bool:
    return bool(stacks.resource(address)["Type"] == SUBNET)


def _overlap(comparison: Comparison, new: dict[str, Any], standing: Address) -> bool:
    """Whether the new subnet shares addresses of one VPC with the old one; no where a template does not tell."""
    old = comparison.before.properties(standing)
    vpc = new.get("VpcId")
    if vpc != old.get("VpcId") or any(map(comparison.has_moved, references(vpc))):
        return False
    wanted, held = new.get("CidrBlock"), old.get("CidrBlock")
    if not isinstance(wanted, str) or not isinstance(held, str):
        return False
    return ipaddress.IPv4Network(wanted).overlaps(ipaddress.IPv4Network(held))


def _refusal(comparison: Comparison, address: Address, standing: Address) -> Finding:
    new, old = (
        stacks.properties(a)["CidrBlock"] for stacks, a in ((comparison.after, address), (comparison.before, standing))
    )
    holder = "it holds now" if address == standing else f"{name_in(comparison, standing)} holds"
    return Finding(
        "E9008",
        place(address),
        f"{name_in(comparison, address)} would be created with the addresses {new}; of them {holder} {old}, and "
        "CloudFormation deletes what is old only after everything new is created",
        way_out(comparison, "keep the zones in their order, and append new ones: the position decides the addresses"),
    )
