"""What every subnet has and needs at the largest sizes: the one place where addresses are counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from ipaddress import IPv4Network

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.address_plan import AddressNeed, AddressPlan, Purpose
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetPlan, SubnetTier, ZonePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.storage_plan import LustrePlan, StoragePlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan


def build_addresses(
    network: NetworkPlan,
    eks: KubernetesPlan | None,
    storage: StoragePlan | None,
    workstations: tuple[WorkstationPlan, ...],
    catalog: Catalog,
) -> tuple[AddressPlan, ...]:
    """The private subnets in the order of the zones, those of secondary CIDRs, then the public ones.

    Nodes that EKS Auto Mode starts, pods of other add-ons' load balancers, and the nodes that a rolling update adds are
    not counted: nothing in the file says how many there will be.
    """
    kept = catalog.limit("subnet_reserved_addresses").require_minimum()
    needs: dict[SubnetTier, Callable[[ZonePlan], Iterator[AddressNeed]]] = {
        SubnetTier.PRIVATE: lambda zone: _private(zone, network, eks, storage, workstations, catalog),
        SubnetTier.SECONDARY: lambda zone: _of_groups(eks, zone.zone_id, in_secondary=True),
        SubnetTier.PUBLIC: lambda zone: _public(zone, eks, catalog),
    }
    return tuple(
        _addresses(subnet, kept, needs[subnet.tier](zone))
        for subnet in network.subnets
        if (zone := network.zone(subnet.zone_id)) is not None
    )


def _addresses(subnet: SubnetPlan, kept: int, needs: Iterator[AddressNeed]) -> AddressPlan:
    has = max(0, IPv4Network(subnet.cidr).num_addresses - kept)
    return AddressPlan(subnet.zone_id, subnet.tier.value, subnet.cidr, has, tuple(needs))


def _of_groups(eks: KubernetesPlan | None, zone_id: str, *, in_secondary: bool) -> Iterator[AddressNeed]:
    for group in eks.node_groups if eks is not None else ():
        if zone_id in group.zone_ids and group.in_secondary_subnets is in_secondary:
            yield _nodes(group)


def _private(
    zone: ZonePlan,
    network: NetworkPlan,
    eks: KubernetesPlan | None,
    storage: StoragePlan | None,
    workstations: tuple[WorkstationPlan, ...],
    catalog: Catalog,
) -> Iterator[AddressNeed]:
    yield from _of_groups(eks, zone.zone_id, in_secondary=False)
    if eks is not None:
        if zone.holds_control_plane:
            required = catalog.limit("eks_free_addresses_per_cluster_subnet").require_minimum()
            yield AddressNeed(Purpose.CONTROL_PLANE, "the control plane", 1, required)
            functions = catalog.limit("function_addresses").require_minimum()
            yield AddressNeed(Purpose.OTHER, "the kubectl function", 1, functions)
        yield _load_balancer(catalog)
    if machines := sum(each.zone_id == zone.zone_id for each in workstations):
        yield AddressNeed(Purpose.OTHER, "workstations", machines, 1)
    if endpoints := sum(not endpoint.is_gateway for endpoint in network.endpoints):
        yield AddressNeed(
            Purpose.ENDPOINTS, "endpoints", endpoints, catalog.limit("endpoint_addresses").require_minimum()
        )
    lustre = storage.lustre if storage is not None else None
    if lustre is not None and lustre.zone_id == zone.zone_id:
        yield from _lustre(lustre, catalog)


def _public(zone: ZonePlan, eks: KubernetesPlan | None, catalog: Catalog) -> Iterator[AddressNeed]:
    if zone.has_nat_gateway:
        yield AddressNeed(Purpose.OTHER, "the NAT gateway", 1, catalog.limit("nat_gateway_addresses").require_minimum())
    if eks is not None:
        yield _load_balancer(catalog)


def _nodes(group: NodeGroupPlan) -> AddressNeed:
    """Where the type's numbers are not known, what its launch template asks for; rule W1013 says that this is less."""
    counted, machine = group.node_addresses, group.machine
    return AddressNeed(
        Purpose.NODES,
        group.name,
        group.max,
        counted.addresses if counted is not None else machine.addresses,
        is_least=counted is None,
        saved=group.max * max(0, machine.efa_interfaces - machine.addresses),
        blocks=group.max * counted.prefixes if counted is not None else 0,
    )


def _load_balancer(catalog: Catalog) -> AddressNeed:
    """The file asks for none, yet the subnets are tagged for them: a service of type LoadBalancer must find room."""
    free = catalog.limit("load_balancer_free_addresses").require_minimum()
    return AddressNeed(Purpose.LOAD_BALANCERS, "a load balancer", 1, free)


def _lustre(lustre: LustrePlan, catalog: Catalog) -> Iterator[AddressNeed]:
    """One interface for each step of the first capacity and one for metadata: an upper bound."""
    deployment = catalog.lustre_deployment(lustre.deployment_type)
    if deployment is not None:
        servers = math.ceil(lustre.capacity_gib / min(deployment.first_capacities_gib)) + 1
        yield AddressNeed(Purpose.STORAGE, "Lustre", 1, servers)
