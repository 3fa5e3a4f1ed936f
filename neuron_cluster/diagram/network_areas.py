"""The VPC: zones with their subnets, what runs in each, and what spans several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.diagram.model import Area, Card, Kind
from neuron_cluster.diagram.storage_cards import lustre_card
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import SubnetOrigin, SubnetPlan, SubnetTier, ZonePlan

Placed = tuple[Card, tuple[str, ...]]
"""A card, and the zones of what it shows."""
KINDS = {
    SubnetTier.PUBLIC: Kind.PUBLIC,
    SubnetTier.PRIVATE: Kind.PRIVATE,
    SubnetTier.SECONDARY: Kind.SECONDARY,
}
ORDER = tuple(KINDS)
VPC = "vpc"


def nat_id(zone_id: str) -> str:
    return f"nat-{zone_id}"


def vpc_area(plan: ClusterPlan, groups: Sequence[Placed]) -> Area:
    """Zones first, then groups of several zones, then endpoints."""
    network = plan.network
    several: dict[tuple[str, ...], list[Card]] = {}
    for card, zones in groups:
        if len(zones) > 1:
            several.setdefault(tuple(zones), []).append(card)
    exists = network.existing
    note = "exists, is not changed" if exists is not None else ""
    return Area(
        id=VPC,
        kind=Kind.VPC,
        title=", ".join(exists.cidrs) if exists is not None else network.cidr,
        label=f"VPC {exists.vpc_id}" if exists is not None else "",
        note=note,
        items=(
            *(_zone(plan, zone, groups) for zone in network.zones),
            *(_several(zones, cards, number) for number, (zones, cards) in enumerate(several.items(), 1)),
            *_endpoints(plan),
        ),
    )


def _several(zones: Sequence[str], cards: Sequence[Card], number: int) -> Area:
    return Area(
        id=f"several-zones-{number}",
        kind=Kind.SEVERAL_ZONES,
        title=listed(zones),
        label="private subnets",
        items=tuple(cards),
    )


def _zone(plan: ClusterPlan, zone: ZonePlan, groups: Sequence[Placed]) -> Area:
    subnets = [each for tier in ORDER for each in plan.network.subnets_of(tier) if each.zone_id == zone.zone_id]
    first_private = next((each for each in subnets if each.tier is SubnetTier.PRIVATE), None)
    inside = [*_control_planes(plan, zone), *(card for card, zones in groups if zones == (zone.zone_id,))]
    lustre = plan.storage.lustre if plan.storage is not None else None
    inside += [lustre_card(lustre)] if lustre is not None and lustre.zone_id == zone.zone_id else []
    cards = {SubnetTier.PUBLIC: _gateways(zone)}
    areas = (_subnet(each, inside if each is first_private else cards.get(each.tier, ())) for each in subnets)
    return Area(id=f"zone-{zone.zone_id}", kind=Kind.ZONE, title=zone.zone_id, items=tuple(areas))


def _subnet(subnet: SubnetPlan, cards: Sequence[Card]) -> Area:
    exists = subnet.origin is SubnetOrigin.EXISTING
    return Area(
        id=f"subnet-{subnet.identity}",
        kind=KINDS[subnet.tier],
        title=subnet.cidr,
        note=f"{subnet.subnet_id}, exists" if exists else "",
        items=tuple(cards),
    )


def _control_planes(plan: ClusterPlan, zone: ZonePlan) -> Iterator[Card]:
    """Network interfaces of those that have one alone."""
    for each in plan.providers:
        cluster = each.control_plane()
        if cluster is not None and cluster.zone_id == zone.zone_id:
            identity = f"interface-{each.key()}"
            yield Card(id=identity, kind=Kind.INTERFACE, title=cluster.title, lines=(cluster.label,))


def _gateways(zone: ZonePlan) -> tuple[Card, ...]:
    if not zone.has_nat_gateway:
        return ()
    return (Card(id=nat_id(zone.zone_id), kind=Kind.GATEWAY, label="gateway", title="NAT gateway"),)


def _endpoints(plan: ClusterPlan) -> Iterator[Card]:
    endpoints = plan.network.endpoints
    if endpoints:
        names = ", ".join(endpoint.service for endpoint in endpoints)
        yield Card(id="endpoints", kind=Kind.ENDPOINTS, title=counted(len(endpoints), "service"), lines=(names,))
