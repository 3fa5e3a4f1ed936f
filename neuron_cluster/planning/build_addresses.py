"""Addresses that every subnet has and needs at the largest sizes: the only place where they are counted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.address_plan import AddressNeed, AddressPlan, Purpose
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetPlan, SubnetTier, ZonePlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.storage_plan import LustrePlan, StoragePlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan


def build_addresses(
    network: NetworkPlan,
    providers: Sequence[ProviderPlan],
    storage: StoragePlan | None,
    workstations: tuple[WorkstationPlan, ...],
    catalog: Catalog,
) -> tuple[AddressPlan, ...]:
    """The private subnets in the order of the zones, those of secondary CIDRs, then the public ones.

    Nodes that an autoscaler starts, pods of other add-ons' load balancers, and the nodes that a rolling update adds are
    not counted: the file does not limit their number.
    """
    reserved = catalog.limits["subnet_reserved_addresses"].require_minimum()

    def needs(tier: SubnetTier, zone: ZonePlan) -> Iterator[AddressNeed]:
        if tier is SubnetTier.PUBLIC:
            yield from _public(zone, catalog)
        for provider in providers:
            yield from provider.address_needs(tier, zone, catalog)
        if tier is SubnetTier.PRIVATE:
            yield from _private(zone, network, storage, workstations, catalog)

    return tuple(
        _addresses(subnet, reserved, needs(subnet.tier, zone))
        for subnet in network.subnets
        if (zone := network.zone(subnet.zone_id)) is not None
    )


def _addresses(subnet: SubnetPlan, reserved: int, needs: Iterator[AddressNeed]) -> AddressPlan:
    has = max(0, IPv4Network(subnet.cidr).num_addresses - reserved)
    return AddressPlan(subnet.zone_id, subnet.tier.value, subnet.cidr, has, tuple(needs))


def _private(
    zone: ZonePlan,
    network: NetworkPlan,
    storage: StoragePlan | None,
    workstations: tuple[WorkstationPlan, ...],
    catalog: Catalog,
) -> Iterator[AddressNeed]:
    if machines := sum(each.zone_id == zone.zone_id for each in workstations):
        yield AddressNeed(Purpose.OTHER, "workstations", machines, 1)
    if endpoints := sum(not endpoint.is_gateway for endpoint in network.endpoints):
        yield AddressNeed(
            Purpose.ENDPOINTS, "endpoints", endpoints, catalog.limits["endpoint_addresses"].require_minimum()
        )
    lustre = storage.lustre if storage is not None else None
    if lustre is not None and lustre.existing is None and lustre.zone_id == zone.zone_id:
        yield from _lustre(lustre, catalog)
    for name, shared in (("EFS", storage.efs), ("S3 Files", storage.s3_files)) if storage is not None else ():
        if shared is not None and zone.zone_id in shared.zone_ids:
            yield AddressNeed(Purpose.STORAGE, name, 1, 1)


def _public(zone: ZonePlan, catalog: Catalog) -> Iterator[AddressNeed]:
    if zone.has_nat_gateway:
        yield AddressNeed(
            Purpose.OTHER, "the NAT gateway", 1, catalog.limits["nat_gateway_addresses"].require_minimum()
        )


def _lustre(lustre: LustrePlan, catalog: Catalog) -> Iterator[AddressNeed]:
    """One interface for each step of the first capacity or of throughput and one for metadata: an upper bound."""
    if lustre.tiering is not None:
        step = catalog.limits["lustre_tiering_throughput"].require_minimum()
        yield AddressNeed(Purpose.STORAGE, "Lustre", 1, math.ceil(lustre.tiering.throughput_mbps / step) + 1)
        return
    deployment = catalog.lustre_deployments.get(lustre.deployment_type)
    if deployment is not None and lustre.capacity_gib is not None:
        servers = math.ceil(lustre.capacity_gib / min(deployment.first_capacities_gib)) + 1
        yield AddressNeed(Purpose.STORAGE, "Lustre", 1, servers)
