"""Which managed add-ons the cluster gets, and with which rights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.addon_plan import AddonPlan, PodRolePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.component import ComponentAddon
from neuron_cluster.schedulers.kubernetes.software.components.registry import ADDONS

NETWORK_POLICY: Mapping[str, Any] = {"enableNetworkPolicy": "true"}
"""Off by default, and every NetworkPolicy would be accepted without effect. A text in the add-on's schema.

https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy-configure.html
"""


def required_addons(catalog: Catalog) -> tuple[str, ...]:
    """Returns the add-ons of every cluster: first those that nodes need to become Ready, then those that need nodes."""
    required = (row for row in catalog.managed_addons if row.required_by is not None)
    return tuple(row.name for row in sorted(required, key=lambda row: row.required_by != "nodes"))


def addon_names(enabled: Sequence[str], catalog: Catalog) -> tuple[str, ...]:
    """Which ones the cluster gets with these components, in order."""
    return (*required_addons(catalog), *(ADDONS[name] for name in enabled if name in ADDONS))


def addons_for(
    of_components: Sequence[ComponentAddon],
    node_groups: Sequence[NodeGroupPlan],
    catalog: Catalog,
    path: KeyPath,
    *,
    prefix_delegation: bool = False,
) -> tuple[AddonPlan, ...]:
    """In the order in which they are installed: what every cluster has, then those of its components."""
    configurations = {
        "vpc-cni": {**NETWORK_POLICY, **(_prefixes(catalog) if prefix_delegation else {})},
        "coredns": _coredns(node_groups, catalog),
    }
    always = (
        ComponentAddon(name=name, configuration=configurations.get(name, {})) for name in required_addons(catalog)
    )
    return tuple(_addon(addon, catalog, path) for addon in (*always, *of_components))


def _prefixes(catalog: Catalog) -> Mapping[str, Any]:
    """Prefixes, as few as the pods need: a target in addresses instead of a whole spare prefix, which few pods on many
    large nodes would never use. Values are text in the add-on's schema."""
    spare = catalog.limits["vpc_cni_spare_addresses"].minimum
    return {"env": {"ENABLE_PREFIX_DELEGATION": "true", "WARM_IP_TARGET": str(spare)}}


def _coredns(node_groups: Sequence[NodeGroupPlan], catalog: Catalog) -> Mapping[str, Any]:
    """Beyond the nodes that two replicas are meant for, the add-on adds replicas with nodes and cores."""
    nodes = sum(group.known_maximum for group in node_groups)
    has_limit = all(group.has_limit for group in node_groups)
    is_enough = has_limit and nodes <= catalog.limits["coredns_nodes_of_two_replicas"].require_maximum()
    return {} if is_enough else {"autoScaling": {"enabled": True}}


def _addon(addon: ComponentAddon, catalog: Catalog, path: KeyPath) -> AddonPlan:
    row = catalog.managed_addons.get(addon.name)
    if row is None:  # a test compares the names here with the catalog's rows
        raise LookupError(f"the catalog has no add-on {addon.name}")
    accounts = row.pod_identity_service_accounts if addon.has_role else ()
    roles = tuple(
        PodRolePlan(row.namespace, account, row.managed_policies, addon.statements, addon.because)
        for account in accounts
    )
    return AddonPlan(
        path,
        addon.name,
        before_nodes=row.required_by == "nodes",
        configuration=addon.configuration,
        pod_roles=(*roles, *addon.further_roles),
    )
