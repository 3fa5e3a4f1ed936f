"""Node group decisions: physical name, zones, labels, taints, repair."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from local_kubernetes.model.names import GROUP_LABEL, QUEUE_LABEL
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.taint import Taint
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.compute_group_plan import ImagePlan
from neuron_cluster.plan.machine_plan import MachinePlan, SecurityGroupRole
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetTier
from neuron_cluster.plan.node_addresses import node_addresses
from neuron_cluster.plan.node_group_plan import NEURON_TAINT, TaintPlan, planned_taint
from neuron_cluster.plan.node_stacks import SYSTEM_STACK
from neuron_cluster.planning.build_machine import build_machine, known_instance_type
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.config.node_group import NodeGroup, NodeSubnets
from neuron_cluster.providers.eks.node_groups import EksNodeGroup, node_groups
from neuron_cluster.providers.eks.plan.build_bootstrap import build_bootstrap
from neuron_cluster.providers.eks.plan.build_node_repair import build_node_repair
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

SECURITY_GROUPS = (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE)
"""The cluster's own group first: EKS adds it by itself only where no interface lists groups."""


def build_node_groups(
    environment: ResolvedEnvironment, network: NetworkPlan, catalog: Catalog, lock: Lock | None
) -> tuple[ManagedNodeGroupPlan, ...]:
    """The managed node groups, in the order of the file."""
    groups = node_groups(environment)
    return tuple(build_node_group(group, environment.config, network, catalog, lock) for group in groups)


def build_node_group(
    group: EksNodeGroup,
    config: EnvironmentConfig,
    network: NetworkPlan,
    catalog: Catalog,
    lock: Lock | None,
) -> ManagedNodeGroupPlan:
    spec = group.spec
    ami_type = ami_type_of(group, catalog)
    machine = build_machine(group, config.region, catalog, SECURITY_GROUPS)
    taints = tuple(_taint(taint, catalog) for taint in spec.taints)
    in_secondary = spec.subnets is NodeSubnets.SECONDARY
    subnets = subnets_of(network, group.zone_ids, in_secondary=in_secondary)
    maximum = group.scaling.require_maximum()
    eks = config.section(Eks)
    return ManagedNodeGroupPlan(
        path=group.path,
        name=group.name,
        physical_name=physical_name(group.name, config.name, machine, ami_type.name, subnets),
        machine=machine,
        image=ImagePlan(ami_type.name, spec.ami_release or _locked_release(lock, ami_type)),
        bootstrap=build_bootstrap(group, machine, ami_type, catalog, pulls_in_parallel=spec.fast_image_pull),
        scaling=group.scaling,
        zone_ids=group.zone_ids,
        labels=_labels(spec),
        taints=(NEURON_TAINT, *taints) if machine.is_neuron else taints,
        node_repair=build_node_repair(maximum, machine, catalog) if group.has_node_repair else None,
        team=group.team,
        queue=group.queue,
        has_network_topology=spec.network_topology,
        pulls_in_parallel=spec.fast_image_pull,
        in_secondary_subnets=in_secondary,
        pods_per_node=spec.pods_per_node,
        node_addresses=node_addresses(
            machine,
            spec.pods_per_node,
            catalog,
            with_prefixes=eks is not None and eks.prefix_delegation,
        ),
    )


def ami_type_of(group: ComputeGroup, catalog: Catalog) -> AmiType:
    """The AMI type of EKS for its instances."""
    name = known_instance_type(group).eks_ami_type
    ami_type = catalog.ami_types.get(name or "")
    if ami_type is None:  # rows that refer to each other are compared by a test
        raise LookupError(f"the catalog has no AMI type {name}")
    return ami_type


def _taint(taint: Taint, catalog: Catalog) -> TaintPlan:
    return planned_taint(taint.key, taint.value, taint.effect.value, catalog)


def _locked_release(lock: Lock | None, ami_type: AmiType) -> str | None:
    locked = lock.ami_releases.get(ami_type.name) if lock is not None else None
    return locked.release_version if locked is not None else None


def _labels(spec: NodeGroup) -> dict[str, str]:
    queue = {} if spec.queue is None else {QUEUE_LABEL: spec.queue}
    return {GROUP_LABEL: spec.name, **queue, **spec.labels}


def subnets_of(network: NetworkPlan, zone_ids: tuple[str, ...], *, in_secondary: bool) -> list[tuple[str, str]]:
    """Zone id and CIDR of each subnet that the nodes are in; the id instead of the CIDR where the subnet exists."""
    tier = SubnetTier.SECONDARY if in_secondary else SubnetTier.PRIVATE
    return [(subnet.zone_id, subnet.identity) for subnet in network.subnets_of(tier) if subnet.zone_id in zone_ids]


def physical_name(
    name: str, environment: str, machine: MachinePlan, ami_type: str, subnets: Sequence[tuple[str, str]]
) -> str:
    """``<name>-<8 hex>``, hashed over whatever makes EKS replace a group, so that old and new never collide.

    Plan values only, never tokens: CDK's own unique ids would change with the construct tree. The stack of a system
    group is among them: once such groups were in the stack of all others, and both exist during that upgrade.
    """
    identity = {
        "ami_type": ami_type,
        "capacity_type": machine.purchase.kind.upper(),
        "instance_types": [machine.instance_type],
        "role": "node",
        "environment": environment,
        "subnets": sorted([zone_id, cidr, "own-vpc"] for zone_id, cidr in subnets),
    }
    if not machine.is_neuron:
        identity["stack"] = SYSTEM_STACK
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    return f"{name}-{digest[:8]}"
