"""An edit of the network that replaces subnets: what it was before, in words of the environment file."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from msgspec import Struct

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.state import holds_state
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.commands import Command

VPC, SUBNET = "AWS::EC2::VPC", "AWS::EC2::Subnet"
PRIVATE_TAG = "kubernetes.io/role/internal-elb"
"""The tag of private subnets, of which each zone of the file has one; public subnets follow them."""

CIDR, ZONES = ("network", "cidr"), ("network", "availability_zones")


class NetworkEdit(Struct, frozen=True):
    """An edit of the addresses or zones of the network."""

    key: tuple[str, ...]
    """The edited key of the file."""
    before: str
    after: str
    write: str
    """The edit that keeps the network."""

    @property
    def description(self) -> str:
        """``network.cidr is 10.41.0.0/16, and what is deployed has 10.40.0.0/16``."""
        return f"{'.'.join(self.key)} is {self.after}, and what is deployed has {self.before}"


def network_edit(comparison: Comparison) -> NetworkEdit | None:
    """The edit behind subnets or a VPC that would be replaced; None where none would be."""
    vpcs = [address for address in comparison.replaced if comparison.type_of(address) == VPC]
    if vpcs:
        states = (stacks.properties(vpcs[0]) for stacks in (comparison.before, comparison.after))
        before, after = (str(properties.get("CidrBlock")) for properties in states)
        return NetworkEdit(CIDR, before, after, f"write cidr: {before}")
    if not any(comparison.type_of(address) == SUBNET for address in _moved(comparison)):
        return None
    old, new = (list(_zones(stacks)) for stacks in (comparison.before, comparison.after))
    if not old or not all(old):
        return None
    retained = [*old, *(zone for zone in new if zone not in old)]
    return NetworkEdit(ZONES, _listed(old), _listed(new), f"write availability_zones: {_listed(retained)}")


def holds_data(comparison: Comparison) -> bool:
    """Whether anything that is deployed holds state: then `destroy` keeps the network, and its addresses."""
    return any(holds_state(comparison.before, address) for address in comparison.before.addresses())


def network_remedy(comparison: Comparison, write: str) -> str:
    """Returns the hint: the edit that keeps the network, and how to get the other one."""
    if holds_data(comparison):
        other = (
            "for another network, deploy a second environment under another name, copy the data, then "
            f"`{Command.DESTROY_WITH_DATA}`"
        )
    else:
        other = f"for another network, remove all of the environment, `{Command.DESTROY}`, and deploy again"
    return f"{write}\n{other}"


def _listed(zones: list[str]) -> str:
    return f"[{', '.join(zones)}]"


def _moved(comparison: Comparison) -> Iterator[Address]:
    """Subnets that are replaced, and new ones."""
    yield from comparison.replaced
    yield from (address for address in comparison.added if comparison.type_of(address) == SUBNET)


def _zones(stacks: StackSet) -> Iterator[str]:
    """The zones of the private subnets, in the order of their addresses, which is that of the file."""
    found = []
    for address in stacks.addresses():
        if stacks.resource(address)["Type"] != SUBNET:
            continue
        properties = stacks.properties(address)
        tags = [tag.get("Key") for tag in properties.get("Tags", ()) if isinstance(tag, dict)]
        cidr = properties.get("CidrBlock")
        if isinstance(cidr, str) and (PRIVATE_TAG in tags):
            found.append((IPv4Network(cidr), str(properties.get("AvailabilityZoneId", ""))))
    yield from (zone for _, zone in sorted(found))
