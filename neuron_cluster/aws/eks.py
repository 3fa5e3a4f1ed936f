"""Clusters, node groups, add-ons and access entries of EKS."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class Cluster(Struct, frozen=True):
    name: str
    status: str
    version: str
    is_private: bool
    is_public: bool
    public_cidrs: tuple[str, ...]
    authentication_mode: str
    log_types: tuple[str, ...]
    """Enabled control plane logs."""
    is_protected: bool = False
    """Deletion protection."""


class Addon(Struct, frozen=True):
    name: str
    version: str
    """Empty while EKS has not selected one."""
    status: str


class AccessEntry(Struct, frozen=True):
    principal: str
    policies: tuple[str, ...]
    """Names of the access policies, without the ARN's first part."""
    groups: tuple[str, ...]
    type: str

    @property
    def is_of_people(self) -> bool:
        """Whether it is neither of nodes nor of the service-linked role of EKS, whose entries EKS makes itself."""
        return self.type in ("STANDARD", "") and ":role/aws-service-role/" not in self.principal


class DescribedNodeGroup(Struct, frozen=True):
    name: str
    status: str
    ami_type: str
    capacity_type: str
    min: int
    desired: int
    max: int
    launch_template_id: str
    launch_template_version: str
    taints: tuple[str, ...]
    issues: tuple[str, ...] = ()
    """The health issues of a DEGRADED node group: ``AsgInstanceLaunchFailures: Could not launch …``."""


def cluster(target: Target, name: str) -> Cluster | None:
    """The cluster; none when there is none."""
    eks = client(target, "eks")
    with translated():
        try:
            row = eks.describe_cluster(name=name)["cluster"]
        except eks.exceptions.ResourceNotFoundException:
            return None
    network = row["resourcesVpcConfig"]
    logging = row.get("logging", {}).get("clusterLogging", [])
    return Cluster(
        name=row["name"],
        status=row["status"],
        version=row["version"],
        is_private=network["endpointPrivateAccess"],
        is_public=network["endpointPublicAccess"],
        public_cidrs=tuple(network.get("publicAccessCidrs", ())),
        authentication_mode=row.get("accessConfig", {}).get("authenticationMode", ""),
        log_types=tuple(kind for entry in logging if entry.get("enabled") for kind in entry.get("types", ())),
        is_protected=row.get("deletionProtection", False),
    )


def turn_off_deletion_protection(target: Target, name: str) -> None:
    """Waits until the cluster accepts updates again. Raises ``ToolkitError`` when EKS rejects the update."""
    with translated():
        eks = client(target, "eks")
        eks.update_cluster_config(name=name, deletionProtection=False)
        eks.get_waiter("cluster_active").wait(name=name)


def addons(target: Target, cluster_name: str) -> list[Addon]:
    with translated():
        eks = client(target, "eks")
        names = _all(eks, "list_addons", "addons", clusterName=cluster_name)
        rows = [eks.describe_addon(clusterName=cluster_name, addonName=name)["addon"] for name in names]
    return [Addon(row["addonName"], row.get("addonVersion", ""), row["status"]) for row in rows]


def access_entries(target: Target, cluster_name: str) -> list[AccessEntry]:
    with translated():
        eks = client(target, "eks")
        principals = _all(eks, "list_access_entries", "accessEntries", clusterName=cluster_name)
        return [_access_entry(eks, cluster_name, principal) for principal in principals]


def _access_entry(eks: Any, cluster_name: str, principal: str) -> AccessEntry:
    names = {"clusterName": cluster_name, "principalArn": principal}
    entry = eks.describe_access_entry(**names)["accessEntry"]
    policies = _all(eks, "list_associated_access_policies", "associatedAccessPolicies", **names)
    return AccessEntry(
        principal=principal,
        policies=tuple(policy["policyArn"].rpartition("/")[2] for policy in policies),
        groups=tuple(entry.get("kubernetesGroups", ())),
        type=entry.get("type", ""),
    )


def node_groups(target: Target, cluster_name: str) -> list[DescribedNodeGroup]:
    with translated():
        eks = client(target, "eks")
        names = _all(eks, "list_nodegroups", "nodegroups", clusterName=cluster_name)
        return [
            _node_group(eks.describe_nodegroup(clusterName=cluster_name, nodegroupName=name)["nodegroup"])
            for name in names
        ]


def _node_group(row: dict[str, Any]) -> DescribedNodeGroup:
    scaling, template = row["scalingConfig"], row.get("launchTemplate", {})
    return DescribedNodeGroup(
        name=row["nodegroupName"],
        status=row["status"],
        ami_type=row.get("amiType", ""),
        capacity_type=row.get("capacityType", ""),
        min=scaling["minSize"],
        desired=scaling["desiredSize"],
        max=scaling["maxSize"],
        launch_template_id=template.get("id", ""),
        launch_template_version=str(template.get("version", "")),
        taints=tuple(f"{taint['key']}={taint.get('value', '')}:{taint['effect']}" for taint in row.get("taints", ())),
        issues=tuple(
            ": ".join(issue[member] for member in ("code", "message") if issue.get(member))
            for issue in row.get("health", {}).get("issues", ())
        ),
    )


def _all(eks: Any, operation: str, key: str, **arguments: str) -> list[Any]:
    return [item for page in eks.get_paginator(operation).paginate(**arguments) for item in page[key]]


def default_addon_version(target: Target, name: str, kubernetes_version: str) -> str | None:
    """The default version of an add-on for this Kubernetes version; None when EKS has none."""
    with translated():
        eks = client(target, "eks")
        rows = _all(eks, "describe_addon_versions", "addons", addonName=name, kubernetesVersion=kubernetes_version)
    return next(
        (
            str(version["addonVersion"])
            for row in rows
            for version in row.get("addonVersions", ())
            for fit in version.get("compatibilities", ())
            if fit.get("defaultVersion") and fit.get("clusterVersion") == kubernetes_version
        ),
        None,
    )
