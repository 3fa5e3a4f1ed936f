"""The state of a cluster of EKS, its add-ons, node groups and access entries, each read by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class HealthIssue(Struct, frozen=True):
    """A health issue that EKS reports."""

    code: str
    message: str
    resources: tuple[str, ...] = ()
    """Ids of the resources that the issue is about."""

    @property
    def text(self) -> str:
        return ": ".join(part for part in (self.code, self.message) if part)


class ClusterState(Struct, frozen=True):
    name: str
    status: str
    version: str
    is_private: bool
    is_public: bool
    public_cidrs: tuple[str, ...]
    issues: tuple[HealthIssue, ...]
    created: datetime | None


class AddonState(Struct, frozen=True):
    status: str
    version: str
    """Empty while EKS has not selected one."""
    issues: tuple[HealthIssue, ...]
    modified: datetime | None


class NodeGroupState(Struct, frozen=True):
    status: str
    min: int
    desired: int
    max: int
    release_version: str
    """AMI release that its nodes start from; empty with an AMI of the user's own."""
    auto_scaling_groups: tuple[str, ...]
    issues: tuple[HealthIssue, ...]
    modified: datetime | None


def cluster_state(target: Target, name: str) -> ClusterState | None:
    """The cluster; None when there is none."""
    row = _described(target, "describe_cluster", "cluster", name=name)
    if row is None:
        return None
    network = row["resourcesVpcConfig"]
    return ClusterState(
        name=row["name"],
        status=row["status"],
        version=row["version"],
        is_private=network["endpointPrivateAccess"],
        is_public=network["endpointPublicAccess"],
        public_cidrs=tuple(network.get("publicAccessCidrs", ())),
        issues=_issues(row),
        created=row.get("createdAt"),
    )


def addon_state(target: Target, cluster: str, name: str) -> AddonState | None:
    """The add-on; None when the cluster does not have it."""
    row = _described(target, "describe_addon", "addon", clusterName=cluster, addonName=name)
    if row is None:
        return None
    return AddonState(row["status"], row.get("addonVersion", ""), _issues(row), row.get("modifiedAt"))


def node_group_state(target: Target, cluster: str, name: str) -> NodeGroupState | None:
    """The node group; None when the cluster does not have it."""
    row = _described(target, "describe_nodegroup", "nodegroup", clusterName=cluster, nodegroupName=name)
    if row is None:
        return None
    sizes = row["scalingConfig"]
    return NodeGroupState(
        status=row["status"],
        min=sizes["minSize"],
        desired=sizes["desiredSize"],
        max=sizes["maxSize"],
        release_version=row.get("releaseVersion", ""),
        auto_scaling_groups=tuple(each["name"] for each in row.get("resources", {}).get("autoScalingGroups", ())),
        issues=_issues(row),
        modified=row.get("modifiedAt"),
    )


def principals_with_access(target: Target, cluster: str) -> list[str]:
    """ARNs of the principals with an access entry, those of nodes and of EKS among them."""
    with translated():
        pages = client(target, "eks").get_paginator("list_access_entries").paginate(clusterName=cluster)
        return [str(principal) for page in pages for principal in page["accessEntries"]]


def access_entry_type(target: Target, cluster: str, principal: str) -> str | None:
    """The type of an access entry: ``STANDARD``, ``EC2_LINUX``, …; None when there is none."""
    row = _described(target, "describe_access_entry", "accessEntry", clusterName=cluster, principalArn=principal)
    return None if row is None else str(row.get("type", ""))


def kubernetes_groups(target: Target, cluster: str, principal: str) -> tuple[str, ...]:
    """Groups of an access entry; none when there is no entry."""
    row = _described(target, "describe_access_entry", "accessEntry", clusterName=cluster, principalArn=principal)
    return () if row is None else tuple(row.get("kubernetesGroups", ()))


def access_policies(target: Target, cluster: str, principal: str) -> dict[str, str]:
    """Access policies of an entry by name, with their scope: ``cluster``, or namespaces; none without an entry."""
    eks = client(target, "eks")
    names = {"clusterName": cluster, "principalArn": principal}
    with translated():
        try:
            pages = eks.get_paginator("list_associated_access_policies").paginate(**names)
            rows = [row for page in pages for row in page["associatedAccessPolicies"]]
        except eks.exceptions.ResourceNotFoundException:
            return {}
    return {row["policyArn"].rpartition("/")[2]: _scope(row["accessScope"]) for row in rows}


def _scope(scope: Mapping[str, Any]) -> str:
    return str(scope["type"]) if scope["type"] == "cluster" else f"namespaces {', '.join(scope.get('namespaces', ()))}"


def _described(target: Target, operation: str, member: str, **names: str) -> Mapping[str, Any] | None:
    eks = client(target, "eks")
    with translated():
        try:
            found: Mapping[str, Any] = getattr(eks, operation)(**names)[member]
        except eks.exceptions.ResourceNotFoundException:
            return None
    return found


def _issues(row: Mapping[str, Any]) -> tuple[HealthIssue, ...]:
    issues = row.get("health", {}).get("issues", ())
    return tuple(
        HealthIssue(str(each.get("code", "")), str(each.get("message", "")), tuple(each.get("resourceIds", ())))
        for each in issues
    )
