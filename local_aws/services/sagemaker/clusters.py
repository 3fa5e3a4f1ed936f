"""HyperPod clusters: groups of nodes that are there at once, in EKS or in Slurm.

SageMaker lets the execution role of nodes into the EKS cluster, and makes the log group of the cluster.
"""

from __future__ import annotations

import contextlib
import secrets
import string
from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.services.sagemaker.nodes import NODES, with_nodes
from local_aws.services.table import changed_by, ended_by, made_by

CLUSTER = "AWS::SageMaker::Cluster"
POLICIES = ("AWS::SageMaker::ComputeQuota", "AWS::SageMaker::ClusterSchedulerConfig")
SUFFIX_LENGTH = 12
GROUPS, TO_DELETE, KUBERNETES = "InstanceGroups", "InstanceGroupsToDelete", "KubernetesConfig"
RENAMED = {
    "InstanceCount": "TargetCount",
    "MinInstanceCount": "MinCount",
    "ImageId": "DesiredImageId",
    "ImageReleaseVersion": "DesiredImageReleaseVersion",
}
"""Members of a group in DescribeCluster that requests call otherwise."""
CONFIG_MAP = "CONFIG_MAP"
ENTRY_TYPE = "HYPERPOD_LINUX"
FIXED = ("InstanceType", "InstanceRequirements", "CapacityRequirements", "OverrideVpcConfig")
"""Members of a group that no update changes. Source:
https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterInstanceGroupSpecification.html; inferred: all of
them."""

Row = Mapping[str, Any]


@made_by(CLUSTER)
def new_cluster(call: Call, row: Row) -> Mapping[str, Any]:
    """The end of the ARN, the groups as DescribeCluster has them, and their nodes."""
    given = row.get(GROUPS, [])
    _require_own_names(given)
    if eks := eks_cluster_of(row):
        _require_joinable(call, eks, row)
        _follow_roles(call, eks, set(), _roles(given))
    suffix = new_suffix()
    _make_log_group(call, f"/aws/sagemaker/Clusters/{row['ClusterName']}/{suffix}")
    groups = [_described(group, {}) for group in given]
    return {"suffix": suffix, **with_nodes(call, groups, {}, is_continuous=_is_continuous(row))}


@changed_by(CLUSTER)
def changed_cluster(call: Call, before: Row, after: Row) -> Mapping[str, Any]:
    """The groups after an update: those of the request, and the others unless it deletes them."""
    given = {group["InstanceGroupName"]: group for group in call.parameters.get(GROUPS, [])}
    gone = call.parameters.get(TO_DELETE, [])
    old = {group["InstanceGroupName"]: group for group in before.get(GROUPS, [])}
    if unknown := [name for name in gone if name not in old]:
        raise api_error("sagemaker.no_group", name=unknown[0], cluster=after["ClusterName"])
    for name, group in given.items():
        if name in old and (moved := [key for key in FIXED if _differs(group, old[name], key)]):
            raise api_error("sagemaker.fixed_member", member=moved[0], name=name)
    groups = [_described(given[name], group) if name in given else group for name, group in old.items()]
    groups += [_described(group, {}) for name, group in given.items() if name not in old]
    wanted = [group for group in groups if group["InstanceGroupName"] not in gone]
    if eks := eks_cluster_of(after):
        _follow_roles(call, eks, _roles(old.values()), _roles(wanted))
    return with_nodes(call, wanted, before[NODES], is_continuous=_is_continuous(after))


@ended_by(CLUSTER)
def ended_cluster(call: Call, row: Row) -> None:
    """The access entries of the roles go with the cluster."""
    if eks := eks_cluster_of(row):
        _follow_roles(call, eks, _roles(row.get(GROUPS, [])), set())


def new_policy(call: Call, row: Row) -> Mapping[str, Any]:
    """The id of a compute quota or a scheduler configuration. Raises ServiceError for a cluster of Slurm."""
    clusters = call.table("Cluster")
    if row["cluster"] in clusters and eks_cluster_of(clusters[row["cluster"]]) is None:
        raise api_error("sagemaker.policy_on_slurm", name=row["cluster"])
    return {"suffix": new_suffix()}


for _type_name in POLICIES:
    made_by(_type_name)(new_policy)


def eks_cluster_of(row: Row) -> str | None:
    """The name of the EKS cluster that orchestrates; None for Slurm."""
    arn = row.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn")
    return arn.rpartition("/")[2] if arn else None


def _is_continuous(row: Row) -> bool:
    return bool(row.get("NodeProvisioningMode") == "Continuous")


def new_suffix() -> str:
    """The end of an ARN of SageMaker."""
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(SUFFIX_LENGTH))


def _described(given: Row, before: Row) -> dict[str, Any]:
    """The group of a request as DescribeCluster returns it; an update keeps the image that runs."""
    described = {RENAMED.get(name, name): value for name, value in given.items()}
    if KUBERNETES in described:
        described[KUBERNETES] = {
            f"{state}{name}": value for name, value in given[KUBERNETES].items() for state in ("Current", "Desired")
        }
    running = {key: value for key, value in before.items() if key.startswith("Current")}
    return {"Status": "InService", **running, **described}


def _differs(given: Row, before: Row, member: str) -> bool:
    return member in given and given[member] != before.get(member)


def _require_own_names(groups: Iterable[Row]) -> None:
    names = [group["InstanceGroupName"] for group in groups]
    if twice := [name for name in names if names.count(name) > 1]:
        raise api_error("sagemaker.group_twice", name=twice[0])


def _require_joinable(call: Call, eks: str, row: Row) -> None:
    """The EKS cluster takes access entries, has no other HyperPod cluster, and is in the VPC of the nodes."""
    try:
        cluster = call.client("eks").describe_cluster(name=eks)["cluster"]
    except ClientError as error:
        raise api_error("sagemaker.eks_cluster", reason=error.response["Error"]["Message"]) from error
    if cluster["accessConfig"]["authenticationMode"] == CONFIG_MAP:
        raise api_error("sagemaker.authentication_mode", name=eks)
    if others := [name for name, each in call.table("Cluster").items() if eks_cluster_of(each) == eks]:
        raise api_error("sagemaker.eks_cluster_taken", name=eks, other=others[0])
    try:
        subnets = call.client("ec2").describe_subnets(SubnetIds=row.get("VpcConfig", {}).get("Subnets", []))["Subnets"]
    except ClientError as error:
        raise api_error("sagemaker.subnet", reason=error.response["Error"]["Message"]) from error
    vpc = cluster["resourcesVpcConfig"]["vpcId"]
    if apart := [subnet["SubnetId"] for subnet in subnets if subnet["VpcId"] != vpc]:
        raise api_error("sagemaker.other_vpc", subnet=apart[0], vpc=vpc, name=eks)


def _roles(groups: Iterable[Row]) -> set[str]:
    return {group["ExecutionRole"] for group in groups}


def _follow_roles(call: Call, eks: str, before: set[str], after: set[str]) -> None:
    """Access entries of roles that the cluster has now, and no more of those that it had."""
    client = call.client("eks")
    for role in after - before:
        with contextlib.suppress(client.exceptions.ResourceInUseException):  # the user's own entry
            client.create_access_entry(clusterName=eks, principalArn=role, type=ENTRY_TYPE)
    for role in before - after:
        with contextlib.suppress(client.exceptions.ResourceNotFoundException):
            client.delete_access_entry(clusterName=eks, principalArn=role)


def _make_log_group(call: Call, name: str) -> None:
    logs = call.client("logs")
    with contextlib.suppress(logs.exceptions.ResourceAlreadyExistsException):
        logs.create_log_group(logGroupName=name)
