"""Addresses of a private subnet against everything that may run in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import PlanRule, Problem
from neuron_cluster.rules.node_addresses import addresses_of_node
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan, NodeGroupPlan
    from neuron_cluster.plan.network_plan import ZonePlan


@dataclass(frozen=True, slots=True)
class Need:
    """Addresses that one thing takes in a subnet."""

    words: str
    addresses: int


class SubnetTooSmallForNodes(PlanRule):
    """Every private subnet has addresses for the interfaces and pods of the largest sizes of its node groups.

    Counted for each zone, as if all nodes of a group that may run there did (nodes are not spread evenly when a
    zone has no capacity), with the VPC CNI's defaults (an address for each pod, no prefixes, one spare interface):

    - a node: the interfaces that its pods fill, and one spare, each with all its addresses:
      ``min(interfaces per card, ceil(pods / (addresses per interface - 1)) + 1) x addresses per interface``, where
      pods are what the interfaces can address, at most 110 (up to 29 vCPUs) or 250, the bound of EKS;
    - and one address for each further interface of the launch template that has one (``efa-only`` has none);
    - the control plane: the 6 addresses that EKS wants free; an address for each interface endpoint;
    - the kubectl function, and each workstation: one;
    - Lustre: one for each 1200 GiB and one for metadata (an upper bound).

    AWS keeps 5 addresses of each subnet. Room for the nodes that a rolling update adds is not counted.

    Without it: AWS answers late. Instances fail to launch with InsufficientFreeAddressesInSubnet, or pods wait in
    ContainerCreating with "failed to assign an IP address to container"; a VPC's addresses cannot be changed.
    """

    id = "E1010"
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html; "
        "https://docs.aws.amazon.com/eks/latest/best-practices/vpc-cni.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
    )
    threads = ("terraform-aws-modules/terraform-aws-eks#3196", "aws/karpenter-provider-aws#8898")

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Problem]:
        needs = {zone: _needs(plan, zone, catalog) for zone in plan.network.zones}
        zone, worst = max(needs.items(), key=lambda item: _sum(item[1]))
        kept = catalog.limit("subnet_reserved_addresses").minimum or 0
        subnet = IPv4Network(zone.private_cidr)
        free = subnet.num_addresses - kept
        if free >= _sum(worst):
            return
        parts = listed(f"{need.words} {need.addresses}" for need in worst)
        yield Problem(
            (*plan.network.path, "cidr"),
            f"the private subnet of {zone.zone_id} ({subnet}) has {max(free, 0)} free addresses, but at the largest "
            f"sizes {_sum(worst)} are needed: {parts}",
            _way_out(IPv4Network(plan.network.cidr), subnet, _sum(worst) + kept, catalog),
        )


def _needs(plan: ClusterPlan, zone: ZonePlan, catalog: Catalog) -> list[Need]:
    needs = []
    if plan.eks is not None:
        groups = (group for group in plan.eks.node_groups if zone.zone_id in group.zone_ids)
        needs += [_need_of_group(group, catalog) for group in groups]
        if zone.holds_control_plane:
            required = catalog.limit("eks_free_addresses_per_cluster_subnet").minimum or 0
            needs.append(Need("the control plane", required))
        needs.append(Need("the kubectl function", 1))
    if machines := sum(each.zone_id == zone.zone_id for each in plan.workstations):
        needs.append(Need("workstations", machines))
    if endpoints := sum(not endpoint.is_gateway for endpoint in plan.network.endpoints):
        needs.append(Need("endpoints", endpoints))
    lustre = plan.storage.lustre if plan.storage is not None else None
    deployment = catalog.lustre_deployment(lustre.deployment_type) if lustre is not None else None
    if lustre is not None and deployment is not None and lustre.zone_id == zone.zone_id:
        needs.append(Need("Lustre", math.ceil(lustre.capacity_gib / min(deployment.first_capacities_gib)) + 1))
    return needs


def _need_of_group(group: NodeGroupPlan, catalog: Catalog) -> Need:
    """Where the type's numbers are not known, what its launch template asks for; rule W1013 says that this is less."""
    counted = addresses_of_node(group, catalog)
    each, least = (counted, "") if counted is not None else (group.machine.addresses, "at least ")
    return Need(f"{group.name} ({least}{group.max} x {each})", group.max * each)


def _sum(needs: list[Need]) -> int:
    return sum(need.addresses for need in needs)


def _way_out(vpc: IPv4Network, subnet: IPv4Network, needed: int, catalog: Catalog) -> str:
    """The smallest VPC whose subnets, cut as they are, would do."""
    missing_bits = (needed - 1).bit_length() - (32 - subnet.prefixlen)
    prefix = vpc.prefixlen - missing_bits
    share = subnet.prefixlen - vpc.prefixlen
    if prefix >= (catalog.limit("vpc_cidr_prefix").minimum or 0):
        return (
            f"set network.cidr: {vpc.supernet(new_prefix=prefix)}, whose private subnets are /{prefix + share}; "
            "or lower count.max"
        )
    return (
        f"no VPC is large enough (that takes a /{prefix + share} in one zone): lower count.max, or move groups to "
        "other zones or to another environment"
    )
