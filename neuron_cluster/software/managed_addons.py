"""Which EKS managed add-ons the cluster gets, and with which rights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.eks import Addons
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import AddonPlan, PodRolePlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan

BEFORE_NODES = ("vpc-cni", "kube-proxy", "eks-pod-identity-agent")
"""Without these no node becomes Ready; everything else comes once nodes are there."""

ALWAYS = (*BEFORE_NODES, "coredns")

WITHOUT_ROLE = frozenset({"aws-fsx-csi-driver"})
"""The FSx driver calls AWS only to create file systems. Ours are made here and mounted by their name, so its
controller gets no role at all instead of the AmazonFSxFullAccess that the guide attaches."""


def addons_for(
    wish: Addons,
    node_groups: Sequence[NodeGroupPlan],
    catalog: Catalog,
    *,
    has_lustre: bool,
    prefix_delegation: bool = False,
) -> tuple[AddonPlan, ...]:
    """In the order in which they are installed."""
    repairs = any(group.node_repair is not None for group in node_groups)
    settings = {
        "vpc-cni": _vpc_cni(catalog) if prefix_delegation else {},
        "coredns": _coredns(sum(group.max for group in node_groups), catalog),
    }
    return tuple(
        _addon(name, catalog, settings.get(name, {}))
        for name in addon_names(wish, repairs=repairs, has_lustre=has_lustre)
    )


def _vpc_cni(catalog: Catalog) -> Mapping[str, Any]:
    """Prefixes, as few as the pods need: a target in addresses instead of a whole spare prefix, which few pods on many
    large nodes would never use. Values are text in the add-on's schema."""
    spare = catalog.limit("vpc_cni_spare_addresses").minimum
    return {"env": {"ENABLE_PREFIX_DELEGATION": "true", "WARM_IP_TARGET": str(spare)}}


def _coredns(most_nodes: int, catalog: Catalog) -> Mapping[str, Any]:
    """Where the cluster may grow beyond what two replicas are meant for, EKS adds replicas with nodes and cores."""
    enough = most_nodes <= (catalog.limit("coredns_nodes_of_two_replicas").maximum or 0)
    return {} if enough else {"autoScaling": {"enabled": True}}


def addon_names(wish: Addons, *, repairs: bool, has_lustre: bool) -> tuple[str, ...]:
    """Which ones, in that order. ``repairs`` says whether a node group has node repair."""
    switches = {
        "eks-node-monitoring-agent": _switch(wish.node_monitoring_agent, default=repairs),
        "aws-fsx-csi-driver": _switch(wish.fsx_csi_driver, default=has_lustre),
    }
    return (*ALWAYS, *(name for name, on in switches.items() if on))


def _switch(asked: bool | None, *, default: bool) -> bool:
    return default if asked is None else asked


def _addon(name: str, catalog: Catalog, configuration: Mapping[str, Any]) -> AddonPlan:
    row = catalog.managed_addon(name)
    if row is None:  # a test compares the names here with the catalog's rows
        raise LookupError(f"the catalog has no add-on {name}")
    accounts = () if name in WITHOUT_ROLE else row.pod_identity_service_accounts
    roles = tuple(PodRolePlan(row.namespace, account, row.managed_policies) for account in accounts)
    path: KeyPath = ("eks", "addons")
    return AddonPlan(path, name, before_nodes=name in BEFORE_NODES, configuration=configuration, pod_roles=roles)
