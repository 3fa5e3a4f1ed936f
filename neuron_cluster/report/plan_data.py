"""The plan as ``plan --format json`` prints it: its keys stay as they are while the records behind them change."""

from __future__ import annotations

from typing import Any

from neuron_cluster.config.sections import sections
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetTier
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan
from neuron_cluster.report.plain_data import plain

RECORDS_OF_GROUP = ("machine", "image", "bootstrap", "scaling")
"""Fields of a compute group that are printed as part of ``machine`` or as numbers next to it."""


def plan_data(plan: ClusterPlan) -> dict[str, Any]:
    """Every field of the plan; a compute group with its image and first boot in ``machine``."""
    data: dict[str, Any] = plain(plan)
    data["network"] |= _cidrs(plan.network)
    del data["providers"], data["stack_key"]  # a plan that is printed is of the whole environment
    data |= dict.fromkeys(section.key for section in sections())
    for each in plan.providers:
        data[str(each.path[0])] = _provider(each)
    data["workstations"] = [_workstation(each) for each in plan.workstations]
    return data


def _provider(plan: ProviderPlan) -> dict[str, Any]:
    """Node groups are in the section that has them, not in that of their control plane."""
    data: dict[str, Any] = plain(plan)
    groups = [group for group in plan.compute_groups if isinstance(group, NodeGroupPlan)]
    if groups or isinstance(plan, KubernetesPlan):
        data["node_groups" if isinstance(plan, KubernetesPlan) else "groups"] = [_node_group(each) for each in groups]
    return data


def _cidrs(network: NetworkPlan) -> dict[str, Any]:
    """The address ranges of the subnets a second time, by zone."""
    cidrs = {(subnet.tier, subnet.zone_id): subnet.cidr for subnet in network.subnets}
    return {
        "zones": [
            plain(zone)
            | {
                "private_cidr": cidrs.get((SubnetTier.PRIVATE, zone.zone_id)),
                "public_cidr": cidrs.get((SubnetTier.PUBLIC, zone.zone_id)),
            }
            for zone in network.zones
        ],
        "secondary_subnets": [
            {"path": plain(subnet.path), "zone_id": subnet.zone_id, "cidr": subnet.cidr}
            for subnet in network.subnets_of(SubnetTier.SECONDARY)
        ],
    }


def _node_group(group: NodeGroupPlan) -> dict[str, Any]:
    counts = {"min": group.min, "desired": group.desired, "max": group.scaling.maximum}
    machine = _machine(group, ami_type=group.image.family)
    return {**_plain_fields(group), "machine": machine, **counts}


def _workstation(workstation: WorkstationPlan) -> dict[str, Any]:
    fields = _plain_fields(workstation)
    del fields["zone_ids"], fields["queue"]
    machine = _machine(workstation, ami_type=None)
    return {**fields, "machine": machine, "zone_id": workstation.zone_id, "dlami": workstation.dlami}


def _plain_fields(group: ComputeGroupPlan) -> dict[str, Any]:
    return {name: plain(getattr(group, name)) for name in group.__struct_fields__ if name not in RECORDS_OF_GROUP}


def _machine(group: ComputeGroupPlan, *, ami_type: str | None) -> dict[str, Any]:
    machine: dict[str, Any] = plain(group.machine)
    purchase: dict[str, Any] = machine.pop("purchase")
    kind: str = purchase.pop("kind")
    return machine | {
        "ami_type": ami_type,
        "ami_release": group.image.release,
        "image": group.image.image,
        "market": {"eks_capacity_type": kind.upper(), **purchase},
        "user_data_shell": group.bootstrap.shell,
        "node_config": group.bootstrap.node_config,
    }
