"""A new subnet whose CIDR overlaps one that is deployed."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.guards.network_edit import network_remedy
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet

SUBNET = "AWS::EC2::Subnet"


class SubnetOverlap(Guard):
    """The CIDR of a new subnet overlaps no deployed subnet (`network.availability_zones`).

    CloudFormation creates new subnets before it deletes the old ones, and EC2 rejects a subnet with addresses of
    another one. The position of a zone in the list decides its addresses. A file system keeps its subnets, so `destroy`
    frees no address while there is data. E9008 is the same conflict of any other resource.
    """

    id = "E9022"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateSubnet.html (InvalidSubnet.Conflict)"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each new subnet."""
        created = [a for a in (*comparison.replaced, *comparison.added) if _is_subnet(comparison.after, a)]
        deployed = [a for a in sorted(comparison.before.addresses()) if _is_subnet(comparison.before, a)]
        for address in created:
            new = comparison.after.properties(address)
            overlapped = next((old for old in deployed if _overlap(comparison, new, old)), None)
            if overlapped is not None:
                yield _violation(comparison, address, overlapped)


def _is_subnet(stacks: StackSet, address: Address) -> bool:
    return bool(stacks.resource(address)["Type"] == SUBNET)


def _overlap(comparison: Comparison, new: dict[str, Any], deployed: Address) -> bool:
    """Whether the new subnet shares addresses of one VPC with the old one; no where a token hides them."""
    old = comparison.before.properties(deployed)
    vpc = new.get("VpcId")
    if vpc != old.get("VpcId") or any(map(comparison.has_moved, references(vpc))):
        return False
    wanted, held = new.get("CidrBlock"), old.get("CidrBlock")
    if not isinstance(wanted, str) or not isinstance(held, str):
        return False
    return ipaddress.IPv4Network(wanted).overlaps(ipaddress.IPv4Network(held))


def _violation(comparison: Comparison, address: Address, deployed: Address) -> Violation:
    new, old = (
        stacks.properties(a)["CidrBlock"] for stacks, a in ((comparison.after, address), (comparison.before, deployed))
    )
    holder = "it holds now" if address == deployed else f"{name_in(comparison, deployed)} holds"
    return Violation(
        address,
        f"{name_in(comparison, address)} would be created with the addresses {new}; of them {holder} {old}, and "
        "CloudFormation deletes old resources only after it has created the new ones",
        network_remedy(
            comparison, "keep the zones in their order, and append new ones: the position decides the addresses"
        ),
    )
