"""The facts of a VPC that exists, read from EC2, as the lock pins them."""

from __future__ import annotations

from neuron_cluster.aws.existing_vpc import existing_vpc, vpc_subnets
from neuron_cluster.aws.session import Target
from neuron_cluster.lock.inputs import NetworkInput
from neuron_cluster.lock.model import LockedNetwork, LockedSubnet


def locked_network(target: Target, wanted: NetworkInput) -> tuple[LockedNetwork, list[str]]:
    """The network, and what EC2 does not have of it: a VPC or subnet that is missing, or in another VPC."""
    vpc = existing_vpc(target, wanted.vpc_id)
    if vpc is None:
        return LockedNetwork(wanted.vpc_id, (), (), {}), [f"EC2 has no VPC {wanted.vpc_id}"]
    found = vpc_subnets(target, wanted.subnet_ids, wanted.vpc_id)
    missing = [f"EC2 has no subnet {each}" for each in wanted.subnet_ids if each not in found]
    missing += [f"{each.id} is in {each.vpc_id}" for each in found.values() if each.vpc_id != wanted.vpc_id]
    return LockedNetwork(
        vpc_id=vpc.id,
        cidrs=vpc.cidrs,
        endpoints=tuple(
            dict.fromkeys(each.service for each in vpc.endpoints if each.service not in wanted.own_endpoints)
        ),
        subnets={each.id: LockedSubnet(each.zone_id, each.cidr, each.route) for each in found.values()},
    ), missing
