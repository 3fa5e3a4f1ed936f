"""Node group decisions: physical name, zones, labels, taints, repair."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.eks import NodeGroup, NodeSubnets
from neuron_cluster.config.environment import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.kubernetes.names import GROUP_LABEL, NEURON
from neuron_cluster.lock.model import Lock
from neuron_cluster.plan.cluster_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.node_addresses import node_addresses
from neuron_cluster.plan.node_stacks import SYSTEM_STACK
from neuron_cluster.planning.build_machine import build_machine
from neuron_cluster.planning.build_node_repair import build_node_repair

NEURON_TAINT = TaintPlan(NEURON, "true", "NO_SCHEDULE")
"""Keeps everything off the expensive nodes that does not ask for Neuron; the Neuron charts tolerate the key."""

QUEUE_LABEL = "neuron-cluster/queue"
"""Carries the queue whose jobs run on the node."""


def build_node_group(
    wish: NodeGroup,
    path: KeyPath,
    config: EnvironmentConfig,
    network: NetworkPlan,
    catalog: Catalog,
    lock: Lock | None,
) -> NodeGroupPlan:
    machine = build_machine(wish, path, config.region, catalog, ami_release=wish.ami_release, lock=lock)
    zone_ids = (wish.availability_zone,) if wish.availability_zone else tuple(zone.zone_id for zone in network.zones)
    taints = tuple(TaintPlan(t.key, t.value, t.effect.value.upper()) for t in wish.taints)
    in_secondary = wish.subnets is NodeSubnets.SECONDARY
    subnets = subnets_of(network, zone_ids, in_secondary=in_secondary)
    repairs = machine.is_neuron if wish.node_repair is None else wish.node_repair
    return NodeGroupPlan(
        path=path,
        name=wish.name,
        physical_name=physical_name(wish.name, config.name, machine, subnets),
        machine=machine,
        min=wish.count.min,
        desired=wish.count.desired,
        max=wish.count.max,
        zone_ids=zone_ids,
        labels=_labels(wish),
        taints=(NEURON_TAINT, *taints) if machine.is_neuron else taints,
        node_repair=build_node_repair(wish.count.max, machine, catalog) if repairs else None,
        team=wish.team,
        queue=wish.queue,
        in_secondary_subnets=in_secondary,
        pods_per_node=wish.pods_per_node,
        node_addresses=node_addresses(
            machine,
            wish.pods_per_node,
            catalog,
            with_prefixes=config.eks is not None and config.eks.prefix_delegation,
        ),
    )


def _labels(wish: NodeGroup) -> dict[str, str]:
    queue = {} if wish.queue is None else {QUEUE_LABEL: wish.queue}
    return {GROUP_LABEL: wish.name, **queue, **wish.labels}


def subnets_of(network: NetworkPlan, zone_ids: tuple[str, ...], *, in_secondary: bool) -> list[tuple[str, str]]:
    """Zone id and CIDR of each subnet that the nodes are in."""
    if in_secondary:
        return [(subnet.zone_id, subnet.cidr) for subnet in network.secondary_subnets if subnet.zone_id in zone_ids]
    return [(zone.zone_id, zone.private_cidr) for zone in network.zones if zone.zone_id in zone_ids]


def physical_name(name: str, environment: str, machine: MachinePlan, subnets: Sequence[tuple[str, str]]) -> str:
    """``<name>-<8 hex>``, hashed over whatever makes EKS replace a group, so that old and new never collide.

    Plan values only, never tokens: CDK's own unique ids would change with the construct tree. The stack of a system
    group is among them: once such groups were in the stack of all others, and both exist during that upgrade.
    """
    identity = {
        "ami_type": machine.ami_type,
        "capacity_type": machine.market.eks_capacity_type,
        "instance_types": [machine.instance_type],
        "role": "node",
        "environment": environment,
        "subnets": sorted([zone_id, cidr, "own-vpc"] for zone_id, cidr in subnets),
    }
    if not machine.is_neuron:
        identity["stack"] = SYSTEM_STACK
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    return f"{name}-{digest[:8]}"
