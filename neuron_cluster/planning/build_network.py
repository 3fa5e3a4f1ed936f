"""Network decisions: every subnet's addresses, which zone has a NAT gateway, which endpoints there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Network

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.network import Endpoints, Nat, Network
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.network_plan import EndpointPlan, NetworkPlan, SubnetPlan, SubnetTier, ZonePlan
from neuron_cluster.planning.build_existing_network import existing_network, existing_subnets
from neuron_cluster.protocol.registry import registered
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

EIGHTH = 3
"""Prefix bits of one eighth: private subnets take the first seven, public ones an eighth each of the last, and of a
small VPC at least the smallest subnet that EC2 makes."""


def build_network(environment: ResolvedEnvironment, catalog: Catalog, lock: Lock | None = None) -> NetworkPlan:
    """Carves the VPC by the position of each zone, so that appending a zone moves no address.

    What a VPC that exists has is in the lock.
    """
    config = environment.config
    spec = config.network
    needs = tuple(each.network_needs(environment, catalog) for each in registered())
    excluded = {zone_id for each in needs for zone_id in each.zones_without_control_plane}
    nat = spec.nat if spec.existing is None else Nat.NONE
    first = spec.zone_ids[0]
    zones = tuple(
        ZonePlan(
            path=path,
            zone_id=zone_id,
            has_nat_gateway=nat is Nat.PER_ZONE or (nat is Nat.SINGLE and position == 0),
            nat_zone_id={Nat.NONE: None, Nat.SINGLE: first, Nat.PER_ZONE: zone_id}[nat],
            holds_control_plane=zone_id not in excluded,
        )
        for position, (path, zone_id) in enumerate(spec.zones)
    )
    users = _endpoint_users(config, [user for each in needs for user in each.endpoint_users])
    endpoints = _endpoints(config, catalog, users, has_cluster=any(each.endpoint_users for each in needs))
    has_interfaces = any(not endpoint.is_gateway for endpoint in endpoints)
    is_open = has_interfaces and any(each.has_machines_in_other_groups for each in needs)
    called = tuple(row.name for row in catalog.endpoint_services if {*users} & {*row.required_by, *row.used_by})
    existing = existing_network(spec.existing, lock, called) if spec.existing is not None else None
    cidr = spec.cidr or next(iter(existing.cidrs if existing is not None else ()), "")
    if spec.existing is not None:
        subnets = existing_subnets(spec.existing, lock)
    else:
        subnets = _subnets(spec, IPv4Network(cidr), zones, catalog)
    return NetworkPlan(
        ("network",),
        cidr,
        zones,
        subnets,
        endpoints,
        spec.endpoints is not None,
        cidr if is_open else None,
        existing,
    )


def _subnets(network: Network, vpc: IPv4Network, zones: Sequence[ZonePlan], catalog: Catalog) -> tuple[SubnetPlan, ...]:
    eighths = list(vpc.subnets(prefixlen_diff=EIGHTH))
    carved = {SubnetTier.PRIVATE: eighths}
    if network.nat is not Nat.NONE:
        carved[SubnetTier.PUBLIC] = _public_cidrs(eighths[-1], len(zones), catalog)
    private, public = (
        tuple(SubnetPlan(zone.path, zone.zone_id, tier, str(carved[tier][i])) for i, zone in enumerate(zones))
        if tier in carved
        else ()
        for tier in (SubnetTier.PRIVATE, SubnetTier.PUBLIC)
    )
    secondary = tuple(
        SubnetPlan(("network", "secondary_cidrs", position), each.availability_zone, SubnetTier.SECONDARY, each.cidr)
        for position, each in enumerate(network.secondary_cidrs)
    )
    return (*private, *secondary, *public)


def _public_cidrs(last_eighth: IPv4Network, zones: int, catalog: Catalog) -> list[IPv4Network]:
    """One for each zone; too small for EC2 where they do not fit otherwise (rule E1009)."""
    eighths = list(last_eighth.subnets(prefixlen_diff=EIGHTH))
    smallest = catalog.limits["subnet_cidr_prefix"].require_maximum()
    if last_eighth.prefixlen <= smallest < eighths[0].prefixlen:
        small = list(last_eighth.subnets(new_prefix=smallest))
        return small if len(small) >= zones else eighths
    return eighths


def _endpoint_users(config: EnvironmentConfig, of_providers: Sequence[str]) -> tuple[str, ...]:
    has_express = config.storage is not None and config.storage.express is not None
    has = {"workstations": bool(config.workstations), "express": has_express}
    return (*of_providers, *(name for name, is_there in has.items() if is_there))


def _endpoints(
    config: EnvironmentConfig, catalog: Catalog, users: Sequence[str], *, has_cluster: bool
) -> tuple[EndpointPlan, ...]:
    """Returns the endpoints of the file, or those of ``_chosen``; none by default in a VPC that exists."""
    services = {service.name: service for service in catalog.endpoint_services}
    wanted = config.network.listed_endpoints
    if config.network.existing is not None:  # its owner decides about the others
        wanted = wanted or []
    if wanted is None:
        chosen = _chosen(config.network, services.values(), {*users}, has_cluster)
        wanted = [row.name for row in chosen]
    return tuple(_endpoint(services[name], users, config.region) for name in sorted(set(wanted)))


def _endpoint(row: EndpointService, users: Sequence[str], region: str) -> EndpointPlan:
    calling = tuple(user for user in users if user in (*row.required_by, *row.used_by))
    return EndpointPlan(row.name, row.service_name(region), row.kind == "gateway", row.reason, calling)


def _chosen(
    network: Network, services: Iterable[EndpointService], users: set[str], has_cluster: bool
) -> Iterator[EndpointService]:
    """Yields the endpoints of a file that lists none: with NAT only the gateways, unless its choice is ``all``.

    Without the key it keeps what releases without ``needed`` created: optional services and those of workstations too,
    none of later ones.
    """
    of_all = {*users, "workstations"} if has_cluster else {*users, "workstations", "nodes"}
    for row in services:
        is_free = row.kind == "gateway"
        if row.required_by and not of_all & {*row.required_by}:
            continue
        if network.endpoints is None and row.is_chosen:
            continue
        if network.endpoints is Endpoints.NEEDED and not (is_free or users & {*row.required_by, *row.used_by}):
            continue
        if is_free or network.nat is Nat.NONE or network.endpoints is Endpoints.ALL:
            yield row
