"""The row of a HyperPod cluster: its groups as DescribeCluster has them, and as requests have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.api_errors import api_error
from local_aws.contract import Call

Row = dict[str, Any]
GROUPS, NAME = "InstanceGroups", "InstanceGroupName"
NODES = "nodes"
"""The member of a cluster's row that has its nodes by id."""
EVENTS, WAITING, AWAITED = "events", "waiting", "awaited"
"""The members that have its events; why and since when groups wait for nodes; and nodes that have not started, by
group: each with a logical id, and instance types where a request named them."""
CONTINUOUS, FAILED = "Continuous", "Failed"
RENAMED = {
    "InstanceCount": "TargetCount",
    "MinInstanceCount": "MinCount",
    "ImageId": "DesiredImageId",
    "ImageReleaseVersion": "DesiredImageReleaseVersion",
}
"""Members of a group in DescribeCluster that requests call otherwise."""
CURRENT, DESIRED = "Current", "Desired"
TWO_STATES = {
    "AutoPatchConfig": ("PatchSchedule",),
    "InstanceRequirements": ("InstanceTypes",),
    "KubernetesConfig": ("Labels", "Taints"),
}
"""Members of a group whose parts DescribeCluster has twice: as they are, and as they are to be."""


def find_cluster(call: Call, name: str) -> Row:
    """The row of a cluster by its name or ARN. Raises ServiceError without one."""
    for row in call.table("Cluster").values():
        if name in (row["ClusterName"], row["ClusterArn"]):
            found: Row = row
            return found
    raise api_error("sagemaker.no_cluster", name=name)


def require_working(row: Mapping[str, Any]) -> None:
    """Raises ServiceError for a cluster whose creation failed."""
    if row["ClusterStatus"] == FAILED:
        raise api_error("sagemaker.failed_cluster", name=row["ClusterName"])


def eks_cluster_of(row: Mapping[str, Any]) -> str | None:
    """The name of the EKS cluster that orchestrates; None for Slurm."""
    arn = row.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn")
    return arn.rpartition("/")[2] if arn else None


def is_continuous(row: Mapping[str, Any]) -> bool:
    return bool(row.get("NodeProvisioningMode") == CONTINUOUS)


def by_name(groups: Iterable[Row]) -> dict[str, Row]:
    return {group[NAME]: group for group in groups}


def described(given: Mapping[str, Any], before: Mapping[str, Any]) -> Row:
    """The group of a request as DescribeCluster returns it; an update keeps the image that runs."""
    group = {
        RENAMED.get(name, name): _in_two_states(value, TWO_STATES[name]) if name in TWO_STATES else value
        for name, value in given.items()
    }
    running = {key: value for key, value in before.items() if key.startswith(CURRENT)} if before else running_now(group)
    return {"Status": "InService", **running, **group}


def running_now(group: Mapping[str, Any]) -> Row:
    """The images of nodes that have what is desired."""
    return {f"{CURRENT}{key[len(DESIRED) :]}": value for key, value in group.items() if key.startswith(DESIRED)}


def requested(group: Mapping[str, Any]) -> Row:
    """The group as a request has it."""
    names = {described_as: name for name, described_as in RENAMED.items()}
    members = get_service_model("sagemaker").shape_for("ClusterInstanceGroupSpecification").members
    given = {names.get(key, key): value for key, value in group.items() if names.get(key, key) in members}
    return {name: _desired(value) if name in TWO_STATES else value for name, value in given.items()}


def _in_two_states(value: Mapping[str, Any], parts: Iterable[str]) -> Row:
    names = {name: (f"{CURRENT}{name}", f"{DESIRED}{name}") if name in parts else (name,) for name in value}
    return {spelled: part for name, part in value.items() for spelled in names[name]}


def _desired(value: Mapping[str, Any]) -> Row:
    return {name.removeprefix(DESIRED): part for name, part in value.items() if not name.startswith(CURRENT)}


def types_of(group: Mapping[str, Any]) -> list[str]:
    """The instance types that a group may have."""
    given = group.get("InstanceType")
    return [str(given)] if given else list(group["InstanceRequirements"][f"{DESIRED}InstanceTypes"])


def network_of(cluster: Mapping[str, Any], group: Mapping[str, Any]) -> Mapping[str, Any]:
    """The subnets and security groups of a group; empty in the VPC of SageMaker."""
    network: Mapping[str, Any] = group.get("OverrideVpcConfig") or cluster.get("VpcConfig") or {}
    return network
