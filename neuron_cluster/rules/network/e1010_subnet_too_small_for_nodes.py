from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.address_plan import AddressNeed, AddressPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class SubnetTooSmallForNodes(Rule):
    """Every subnet has enough addresses at the maximum sizes of its node groups (`network.cidr`).

    Counted for each zone, as if all nodes of a group that can run there did (nodes are not spread evenly when a zone
    has no capacity):

    - a node: the interfaces for its pods, and one spare, each with all its addresses:
      ``min(interfaces per card, ceil(pods / (addresses per interface - 1)) + 1) x addresses per interface``, where
      pods are ``pods_per_node``, else the addresses of the interfaces, at most 110 (up to 29 vCPUs) or 250, the limit
      of EKS; with ``eks.prefix_delegation`` instead the node's own address and 16 for each 16 of ``pods + 1`` begun;
    - and one address for each further interface of the launch template that has one (``efa-only`` has none);
    - the control plane: the 6 addresses that EKS requires to be free; a load balancer: 8;
    - an address for each interface endpoint, the kubectl function, each NAT gateway and each workstation;
    - Lustre: one for each 1200 GiB and one for metadata (an upper bound).

    AWS reserves 5 addresses of each subnet. Nodes that a rolling update adds, and nodes of EKS Auto Mode, are not
    counted. `neuron-cluster plan NAME --details` shows the table.

    Without this check AWS reports the error late. Instances fail to launch with InsufficientFreeAddressesInSubnet, or
    pods wait in ContainerCreating with "failed to assign an IP address to container"; a VPC's addresses cannot be
    changed.
    """

    id = "E1010"
    needs = Needs.PLAN
    source = (
        "https://docs.aws.amazon.com/eks/latest/userguide/choosing-instance-type.html; "
        "https://docs.aws.amazon.com/eks/latest/best-practices/vpc-cni.html; "
        "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html"
    )
    references = ("terraform-aws-modules/terraform-aws-eks#3196", "aws/karpenter-provider-aws#8898")

    def check(self, context: RuleContext) -> Violations:
        worst = min(context.plan.addresses, key=lambda subnet: subnet.left, default=None)
        if worst is None or worst.left >= 0:  # no subnet is known while the lock of a VPC that exists is being made
            return
        parts = listed(f"{_words(need)} {need.addresses}" for need in worst.needs)
        yield Violation(
            _place(context.plan, worst),
            f"the {worst.kind} subnet of {worst.zone_id} ({worst.cidr}) has {worst.has} free addresses, but at the "
            f"maximum sizes {worst.needed} are required: {parts}",
            _way_out(context.plan, worst, context.catalog),
        )


def _place(plan: ClusterPlan, worst: AddressPlan) -> KeyPath:
    if plan.network.existing is not None:
        subnet = next(each for each in plan.network.subnets if each.cidr == worst.cidr)
        return (*subnet.path, "id")
    secondary = plan.network.subnet(SubnetTier.SECONDARY, worst.zone_id) if worst.kind == "secondary" else None
    return (*(secondary.path if secondary is not None else plan.network.path), "cidr")


def _words(need: AddressNeed) -> str:
    minimum = "at least " if need.is_least else ""
    return f"{need.words} ({minimum}{need.count} x {need.each})" if need.count > 1 else need.words


def _way_out(plan: ClusterPlan, worst: AddressPlan, catalog: Catalog) -> str:
    """The smallest VPC whose subnets, divided in the same way, are all large enough."""
    vpc = IPv4Network(plan.network.cidr)
    reserved = catalog.limits["subnet_reserved_addresses"].require_minimum()
    edits = [each.address_edits(plan, worst, catalog) for each in registered()]
    pods = [each.fewer for each in edits if each.fewer is not None and worst.kind != "public"]
    fewer = ", or ".join(("lower count.max", *pods))
    own = 32 - (worst.needed + reserved - 1).bit_length()
    if plan.network.existing is not None:
        return f"name a {worst.kind} subnet of {worst.zone_id} that is a /{own} or larger; or {fewer}"
    if worst.kind == "secondary":
        largest = catalog.limits["vpc_cidr_prefix"].require_minimum()
        return f"write a /{own} for it; or {fewer}" if own >= largest else fewer
    prefix = min(_prefix_of_vpc(subnet, vpc, reserved) for subnet in plan.addresses if subnet.kind != "secondary")
    share = IPv4Network(worst.cidr).prefixlen - vpc.prefixlen
    if prefix >= catalog.limits["vpc_cidr_prefix"].require_minimum():
        return (
            f"set network.cidr: {vpc.supernet(new_prefix=prefix)}, whose {worst.kind} subnets are /{prefix + share}; "
            f"or {fewer}"
        )
    if way := next((each.other_subnets for each in edits if each.other_subnets is not None), None):
        return f"{way}; or {fewer}"
    return (
        f"no subnet of a VPC is large enough (a /{prefix + share} in one zone is required): {fewer}, or move groups to "
        "other zones or to another environment"
    )


def _prefix_of_vpc(subnet: AddressPlan, vpc: IPv4Network, reserved: int) -> int:
    own = IPv4Network(subnet.cidr).prefixlen
    missing_bits = (subnet.needed + reserved - 1).bit_length() - (32 - own)
    return vpc.prefixlen - max(0, missing_bits)
