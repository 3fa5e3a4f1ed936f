"""Which EKS managed add-ons the cluster gets, and with which rights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import AddonPlan, PodRolePlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan
from neuron_cluster.software.component import ManagedAddon

BEFORE_NODES = ("vpc-cni", "kube-proxy", "eks-pod-identity-agent")
"""Without these no node becomes Ready; everything else comes once nodes are there."""

ALWAYS = (*BEFORE_NODES, "coredns")

SWITCHED: Mapping[str, str] = {
    "node_monitoring_agent": "eks-node-monitoring-agent",
    "ebs_csi_driver": "aws-ebs-csi-driver",
    "efs_csi_driver": "aws-efs-csi-driver",
    "fsx_csi_driver": "aws-fsx-csi-driver",
    "mountpoint_s3_csi_driver": "aws-mountpoint-s3-csi-driver",
    "cloudwatch_observability": "amazon-cloudwatch-observability",
    "metrics_server": "metrics-server",
}
"""By switch, for rules, which make no components. A test compares it with what the components bring."""


NETWORK_POLICY: Mapping[str, Any] = {"enableNetworkPolicy": "true"}
"""Off by default, and every NetworkPolicy would be accepted without effect. A text in the add-on's schema.

https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
"""


def addon_names(on: Sequence[str]) -> tuple[str, ...]:
    """Which ones the cluster gets with these switches on, in order."""
    return (*ALWAYS, *(SWITCHED[switch] for switch in on if switch in SWITCHED))


def addons_for(
    switched_on: Sequence[ManagedAddon],
    node_groups: Sequence[NodeGroupPlan],
    catalog: Catalog,
    *,
    prefix_delegation: bool = False,
) -> tuple[AddonPlan, ...]:
    """In the order in which they are installed: what every cluster has, then what its switches bring."""
    settings = {
        "vpc-cni": {**NETWORK_POLICY, **(_prefixes(catalog) if prefix_delegation else {})},
        "coredns": _coredns(sum(group.max for group in node_groups), catalog),
    }
    always = (ManagedAddon(name=name, configuration=settings.get(name, {})) for name in ALWAYS)
    return tuple(_addon(addon, catalog) for addon in (*always, *switched_on))


def _prefixes(catalog: Catalog) -> Mapping[str, Any]:
    """Prefixes, as few as the pods need: a target in addresses instead of a whole spare prefix, which few pods on many
    large nodes would never use. Values are text in the add-on's schema."""
    spare = catalog.limit("vpc_cni_spare_addresses").minimum
    return {"env": {"ENABLE_PREFIX_DELEGATION": "true", "WARM_IP_TARGET": str(spare)}}


def _coredns(most_nodes: int, catalog: Catalog) -> Mapping[str, Any]:
    """Where the cluster may grow beyond what two replicas are meant for, EKS adds replicas with nodes and cores."""
    enough = most_nodes <= (catalog.limit("coredns_nodes_of_two_replicas").maximum or 0)
    return {} if enough else {"autoScaling": {"enabled": True}}


def _addon(addon: ManagedAddon, catalog: Catalog) -> AddonPlan:
    row = catalog.managed_addon(addon.name)
    if row is None:  # a test compares the names here with the catalog's rows
        raise LookupError(f"the catalog has no add-on {addon.name}")
    accounts = row.pod_identity_service_accounts if addon.has_role else ()
    roles = tuple(
        PodRolePlan(row.namespace, account, row.managed_policies, addon.statements, addon.because)
        for account in accounts
    )
    path: KeyPath = ("eks", "addons")
    return AddonPlan(
        path,
        addon.name,
        before_nodes=addon.name in BEFORE_NODES,
        configuration=addon.configuration,
        pod_roles=roles,
    )
