"""Edits that give the nodes of a full subnet addresses: a secondary CIDR, prefix delegation, fewer pods."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.node_addresses import node_addresses
from neuron_cluster.protocol.address_edits import AddressEdits
from neuron_cluster.rules.free_range import free_range

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.address_plan import AddressPlan
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.node_group_plan import NodeGroupPlan


LIMIT_PODS = "limit the pods of each node with pods_per_node in eks.node_groups (and eks.prefix_delegation)"


def address_edits(plan: ClusterPlan, full: AddressPlan, catalog: Catalog) -> AddressEdits:
    """The edits of the section `eks` for a subnet without enough addresses."""
    here = [group for group in _own_groups(plan) if full.zone_id in group.zone_ids and group.node_addresses is not None]
    has_pods = sum(map(_addresses, here)) > full.needed - full.has
    can_move = full.kind == "private" and plan.network.existing is None
    return AddressEdits(LIMIT_PODS if has_pods else None, _secondary_cidr(plan, full, catalog) if can_move else None)


def _secondary_cidr(plan: ClusterPlan, full: AddressPlan, catalog: Catalog) -> str | None:
    """The edits that move node groups of a private subnet to a secondary CIDR; None where that is not enough."""
    subnet = plan.network.subnet(SubnetTier.SECONDARY, full.zone_id)
    new = free_range(_used(plan), catalog) if subnet is None else None
    there = new if subnet is None else IPv4Network(subnet.cidr)
    groups = _to_move(plan, full)
    if there is None or not groups:
        return None
    edits = [] if new is None else [f"set network.secondary_cidrs: [{_as_yaml(new, full.zone_id, plan)}]"]
    names = listed([group.name for group in groups])
    edits.append(f"set subnets: secondary for {names}")
    in_use = next((each.needed for each in plan.addresses if each.kind == "secondary" and each.cidr == str(there)), 0)
    reserved = catalog.limits["subnet_reserved_addresses"].require_minimum()
    free = there.num_addresses - reserved - in_use
    if sum(_addresses(group) for group in groups) > free:
        pods = _pods_that_fit(groups, free, catalog)
        if pods is None:
            return None
        edits += ["set eks.prefix_delegation: true", f"set pods_per_node: {pods} for {names}"]
    return listed(edits)


def _as_yaml(new: IPv4Network, zone_id: str, plan: ClusterPlan) -> str:
    """All items of the list: the existing ones, and the new one."""
    pairs = [(each.cidr, each.zone_id) for each in plan.network.subnets_of(SubnetTier.SECONDARY)]
    return ", ".join(f"{{cidr: {cidr}, availability_zone: {zone}}}" for cidr, zone in [*pairs, (str(new), zone_id)])


def _used(plan: ClusterPlan) -> list[IPv4Network]:
    services = [plan.kubernetes.service_cidr] if plan.kubernetes is not None else []
    return [IPv4Network(each) for each in (plan.network.cidr, *services, *_secondary(plan))]


def _secondary(plan: ClusterPlan) -> tuple[str, ...]:
    return tuple(each.cidr for each in plan.network.subnets_of(SubnetTier.SECONDARY))


def _own_groups(plan: ClusterPlan) -> list[NodeGroupPlan]:
    """The managed node groups: those of other providers have no key for a subnet or for prefixes."""
    own = plan.kubernetes.path if plan.kubernetes is not None else ()
    return [group for group in plan.node_groups if group.path[: len(own)] == own]


def _to_move(plan: ClusterPlan, full: AddressPlan) -> list[NodeGroupPlan]:
    """The largest node groups that run only in this zone, as many as must move; none where that is not enough."""
    groups = _own_groups(plan)
    here = [group for group in groups if group.zone_ids == (full.zone_id,) and not group.in_secondary_subnets]
    moved: list[NodeGroupPlan] = []
    for group in sorted(here, key=_addresses, reverse=True):
        if full.needed - sum(map(_addresses, moved)) <= full.has:
            break
        moved.append(group)
    return moved if full.needed - sum(map(_addresses, moved)) <= full.has else []


def _addresses(group: NodeGroupPlan) -> int:
    counted = group.node_addresses
    return group.max * (counted.addresses if counted is not None else group.machine.addresses)


def _pods_that_fit(groups: Sequence[NodeGroupPlan], free: int, catalog: Catalog) -> int | None:
    """The most pods per node for which all prefixes fit, even when each single address fragments a block."""
    size = catalog.limits["vpc_cni_prefix_addresses"].require_minimum()
    maximum = max(group.node_addresses.pods if group.node_addresses is not None else 0 for group in groups)
    for pods in range(maximum, 0, -1):
        counted = [(group, node_addresses(group.machine, pods, catalog, with_prefixes=True)) for group in groups]
        if any(node is None for _, node in counted):
            return None
        if (
            sum(group.max * (node.prefixes + node.single) for group, node in counted if node is not None)
            <= free // size
        ):
            return pods
    return None
