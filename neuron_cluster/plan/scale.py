"""How close an environment comes to the limits of the services at its largest sizes."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.address_plan import Purpose
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.limit_use import LimitUse, Use
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetTier
from neuron_cluster.plan.stack_table import planned_stacks

GIB_IN_TIB = 1024

ROUTE_TABLES_OF_PUBLIC_SUBNETS = 1
RULES_OF_FULLEST_GROUP = 5
"""Rules of the fullest security group in one direction."""


def build_scale(plan: ClusterPlan, catalog: Catalog) -> tuple[LimitUse, ...]:
    """Every limit that grows with the environment, the closest first. What other environments use is not known."""
    uses = [*_of_network(plan, catalog), *_of_templates(plan), *_of_machines(plan), *_of_storage(plan)]
    for provider in plan.providers:
        uses += provider.limit_uses()
    found = (_limit_use(use, catalog) for use in uses)
    return tuple(sorted(found, key=lambda use: (-use.share, use.name)))


def _limit_use(use: Use, catalog: Catalog) -> LimitUse:
    row = catalog.limits[use.name]
    if row.maximum is None:  # a test looks at every name here
        raise LookupError(f"the limit {use.name} has no maximum")
    return LimitUse(
        name=use.name,
        path=use.path,
        what=use.what,
        unit=row.unit,
        used=use.used,
        limit=row.maximum,
        adjustable=row.adjustable,
        advice=row.advice,
        is_least=use.is_least,
        source=row.source,
        doubt=row.doubt.get("maximum", ""),
        own_rule=use.own_rule,
    )


def _of_machines(plan: ClusterPlan) -> Iterator[Use]:
    groups = plan.compute_groups
    if not groups:
        return
    path = groups[0].path[:-1]
    machines = [group.machine for group in groups]
    worst = max(machines, key=lambda machine: max(len(interface.groups) for interface in machine.interfaces))
    security_groups = max(len(interface.groups) for interface in worst.interfaces)
    yield Use("security_groups_per_interface", worst.path, f"{worst.instance_type}, primary interface", security_groups)
    templates = [machine for machine in machines if machine.root_volume is not None]
    yield Use("launch_templates_per_region", path, "all instances", len(templates))
    placed = sum(machine.placement_strategy is not None for machine in machines)
    yield Use("placement_groups_per_region", path, "all instances", placed)
    interfaces = sum(group.known_maximum * group.interfaces for group in groups)
    has_limits = all(group.has_limit for group in groups)
    is_least = not has_limits or not all(group.has_known_addresses for group in groups)
    yield Use("network_interfaces_per_region", path, "all instances", interfaces, is_least=is_least)
    gib = sum(group.known_maximum * volume.size_gib for group in groups if (volume := group.machine.root_volume))
    gib += sum(home.size_gib for home in (plan.storage.homes if plan.storage is not None else ()))
    yield Use(
        "ebs_gp3_storage_per_region",
        path,
        "root volumes and homes",
        -(-gib // GIB_IN_TIB),
        is_least=not has_limits,
    )


def _of_storage(plan: ClusterPlan) -> Iterator[Use]:
    """File systems that the storage stack creates."""
    storage = plan.storage
    lustre = storage.lustre if storage is not None else None
    if lustre is not None and lustre.existing is None and lustre.capacity_gib is not None:
        kind = lustre.deployment_type.lower()
        name = "scratch" if kind.startswith("scratch") else kind
        yield Use(f"lustre_{name}_storage_per_region", lustre.path, "the file system", lustre.capacity_gib)
    if storage is not None and storage.efs is not None:
        yield Use("efs_file_systems_per_region", storage.efs.path, "this environment", 1)


def _of_templates(plan: ClusterPlan) -> Iterator[Use]:
    yield Use("cloudformation_stacks_per_region", ("name",), "this environment", len(plan.stacks))
    for spec in planned_stacks(plan):
        if spec.resources is not None:
            what = f"stack {plan.stack_name(spec.stack_key)}"
            yield Use("cloudformation_resources_per_stack", spec.path, what, spec.resources(plan))


def _of_network(plan: ClusterPlan, catalog: Catalog) -> Iterator[Use]:
    network = plan.network
    zones = (*network.path, "availability_zones")
    public, secondary = (len(network.subnets_of(tier)) for tier in (SubnetTier.PUBLIC, SubnetTier.SECONDARY))
    gateways = sum(zone.has_nat_gateway for zone in network.zones)
    ends = sum(not endpoint.is_gateway for endpoint in network.endpoints)
    if network.existing is None:
        yield Use("vpcs_per_region", network.path, "this environment", 1)
        yield Use("ipv4_cidrs_per_vpc", (*network.path, "cidr"), "the VPC", 1 + secondary)
        yield Use("subnets_per_vpc", zones, "the VPC", len(network.subnets))
        tables = len(network.zones) + (ROUTE_TABLES_OF_PUBLIC_SUBNETS if public else 0)
        yield Use("route_tables_per_vpc", zones, "the VPC", tables)
        yield Use("routes_per_route_table", network.path, "a private subnet", _routes(network))
    # A group for each role: CLUSTER only with a control plane, EFS with a file system, HYPERPOD with its nodes,
    # TRAINING with training jobs.
    has_cluster = plan.kubernetes is not None or plan.has_security_group(SecurityGroupRole.CLUSTER)
    has_efs = plan.storage is not None and plan.storage.has_mount_targets
    has_hyperpod = plan.has_security_group(SecurityGroupRole.HYPERPOD)
    has_training = plan.has_security_group(SecurityGroupRole.TRAINING)
    groups = len(SecurityGroupRole) - [has_efs, has_cluster, has_hyperpod, has_training].count(False)
    yield Use("security_groups_per_region", network.path, "the VPC", groups)
    yield Use("security_group_rules", network.path, "the group with the most", RULES_OF_FULLEST_GROUP)
    if gateways:
        yield Use("nat_gateways_per_zone", (*network.path, "nat"), "a zone", 1)
        yield Use("elastic_ips_per_region", (*network.path, "nat"), "NAT gateways", gateways)
    if ends:
        yield Use("interface_endpoints_per_vpc", (*network.path, "endpoints"), "the VPC", ends)
    usage, is_least = _network_address_usage(plan, gateways, ends, catalog)
    place = (*network.path, "cidr") if network.existing is None else (*network.existing.path, "vpc_id")
    is_least = is_least or network.existing is not None  # others use a VPC that exists too
    yield Use("network_address_usage", place, "the VPC", usage, is_least=is_least)


def _routes(network: NetworkPlan) -> int:
    """To each address range of the VPC, to NAT, and to each gateway endpoint."""
    to_nat = 1 if any(zone.nat_zone_id is not None for zone in network.zones) else 0
    ranges = 1 + len(network.subnets_of(SubnetTier.SECONDARY))
    return ranges + to_nat + sum(endpoint.is_gateway for endpoint in network.endpoints)


def _network_address_usage(plan: ClusterPlan, gateways: int, ends: int, catalog: Catalog) -> tuple[int, bool]:
    """A unit for each address outside prefixes, each prefix and each further interface; six for a gateway or endpoint.

    Each group counts once here, not in each of its zones: the VPC is one.
    """
    groups = plan.cluster_groups
    units = 0
    for group in groups:
        units += group.known_maximum * (group.addresses_and_prefixes + group.interfaces - 1)
    units += sum(
        subnet.needed - subnet.needed_for(Purpose.NODES) - subnet.needed_for(Purpose.ENDPOINTS)
        for subnet in plan.addresses
    )
    each = catalog.limits["network_address_usage_of_gateways"].require_minimum()
    units += each * (gateways + ends * len(plan.network.zones))
    return units, not all(group.has_limit and group.has_known_addresses for group in groups)
