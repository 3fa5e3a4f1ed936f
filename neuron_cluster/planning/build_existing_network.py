"""A VPC that exists: the ids of the file with what the lock has of the account."""

from __future__ import annotations

from neuron_cluster.config.existing_network import ExistingNetwork, SubnetKind
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.network_plan import ExistingNetworkPlan, SubnetOrigin, SubnetPlan, SubnetTier

TIERS = {SubnetKind.PRIVATE: SubnetTier.PRIVATE, SubnetKind.PUBLIC: SubnetTier.PUBLIC}
PATH = ("network", "existing")


def existing_network(spec: ExistingNetwork, lock: Lock | None, called: tuple[str, ...]) -> ExistingNetworkPlan:
    """Without ranges and endpoints while the lock is being made; else rule E1042 requires them."""
    locked = lock.network if lock is not None else None
    cidrs, endpoints = (locked.cidrs, locked.endpoints) if locked is not None else ((), ())
    subnet_ids = tuple(each.id for each in spec.subnets)
    return ExistingNetworkPlan(PATH, spec.vpc_id, subnet_ids, cidrs, endpoints, called)


def existing_subnets(spec: ExistingNetwork, lock: Lock | None) -> tuple[SubnetPlan, ...]:
    """Returns the subnets of the file that the lock has, private ones first."""
    locked = lock.network.subnets if lock is not None and lock.network is not None else {}
    found = tuple(
        SubnetPlan(
            path=(*PATH, "subnets", position),
            zone_id=each.availability_zone,
            tier=TIERS[each.kind],
            cidr=locked[each.id].cidr,
            origin=SubnetOrigin.EXISTING,
            subnet_id=each.id,
            route=locked[each.id].route,
        )
        for position, each in enumerate(spec.subnets)
        if each.id in locked
    )
    return tuple(sorted(found, key=lambda subnet: subnet.tier is SubnetTier.PUBLIC))
