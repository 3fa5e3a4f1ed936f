"""HyperPod clusters: groups of nodes, in EKS or in Slurm.

SageMaker lets the execution role of nodes into the EKS cluster, and makes the log group of the cluster. The first
cluster of an account makes the service-linked role.
"""

from __future__ import annotations

import contextlib
import secrets
import string
from collections.abc import Iterable, Mapping
from typing import Any

from botocore.exceptions import ClientError
from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.services.iam.service_linked_roles import HYPERPOD, ensure_service_linked_role
from local_aws.services.preconditions import preconditions, violations
from local_aws.services.sagemaker.cluster_rows import (
    AWAITED,
    EVENTS,
    GROUPS,
    NODES,
    WAITING,
    by_name,
    described,
    eks_cluster_of,
    requested,
    require_working,
)
from local_aws.services.sagemaker.fixed_members import require_fixed_members
from local_aws.services.sagemaker.provisioning import change_cluster, start_cluster
from local_aws.services.table import changed_by, ended_by, made_by

CLUSTER = "AWS::SageMaker::Cluster"
SUFFIX_LENGTH = 12
TO_DELETE = "InstanceGroupsToDelete"
KARPENTER = "Karpenter"
ACTIVE, CONFIG_MAP = "ACTIVE", "CONFIG_MAP"
AUTO_SCALING, CLUSTER_ROLE = "AutoScaling", "ClusterRole"
DECIDED = (AUTO_SCALING, GROUPS, NODES, EVENTS, WAITING, AWAITED, "ClusterStatus", "FailureMessage")
ENTRY_TYPE = "HYPERPOD_LINUX"

Row = Mapping[str, Any]


@made_by(CLUSTER)
def new_cluster(call: Call, row: Row) -> Mapping[str, Any]:
    """The end of the ARN, the groups as DescribeCluster has them, and their nodes."""
    given = row.get(GROUPS, [])
    _require_own_names(given)
    if eks := eks_cluster_of(row):
        _require_joinable(call, eks, row)
        _follow_roles(call, eks, set(), _roles(given))
    ensure_service_linked_role(call, HYPERPOD)
    suffix = new_suffix()
    _make_log_group(call, f"/aws/sagemaker/Clusters/{row['ClusterName']}/{suffix}")
    groups = [described(group, {}) for group in given]
    cluster = {**row, **_auto_scaling(row), GROUPS: groups, NODES: {}, EVENTS: [], WAITING: {}, AWAITED: {}}
    start_cluster(call, cluster)
    return {"suffix": suffix, **_decided(cluster)}


@changed_by(CLUSTER)
def changed_cluster(call: Call, before: Row, after: dict[str, Any]) -> Mapping[str, Any]:
    """The groups after an update: those of the request, and the others unless it deletes them.

    The failure of the last update is no more.
    """
    require_working(before)
    _require_own_names(call.parameters.get(GROUPS, []))
    given = by_name(call.parameters.get(GROUPS, []))
    gone = call.parameters.get(TO_DELETE, [])
    old = by_name(before.get(GROUPS, []))
    if unknown := [name for name in gone if name not in old]:
        raise api_error("sagemaker.no_group", name=unknown[0], cluster=after["ClusterName"])
    if _scales(before) and _scales(after) and before[CLUSTER_ROLE] != after[CLUSTER_ROLE]:
        raise api_error("sagemaker.fixed_cluster_role")
    for name in given.keys() & old.keys():
        require_fixed_members(name, old[name], given[name])
    groups = [described(given[name], group) if name in given else group for name, group in old.items()]
    groups += [described(group, {}) for name, group in given.items() if name not in old]
    wanted = [group for group in groups if group["InstanceGroupName"] not in gone]
    _require_creatable(call, after, wanted)
    after.pop("FailureMessage", None)
    cluster = {**after, **_auto_scaling(after), GROUPS: wanted, NODES: dict(before[NODES])}
    change_cluster(call, {**before, GROUPS: list(old.values())}, cluster)
    if eks := eks_cluster_of(after):
        _follow_roles(call, eks, _roles(old.values()), _roles(cluster[GROUPS]))
    return _decided(cluster)


def _auto_scaling(row: Row) -> dict[str, Any]:
    """The auto scaling of a cluster with its status, which is inferred where it is disabled; empty without any."""
    if AUTO_SCALING not in row:
        return {}
    kind = {"AutoScalerType": KARPENTER} if _scales(row) else {}
    return {AUTO_SCALING: {**kind, **row[AUTO_SCALING], "Status": "InService"}}


def _scales(row: Row) -> bool:
    return bool(row.get(AUTO_SCALING, {}).get("Mode") == "Enable")


def _decided(cluster: Row) -> dict[str, Any]:
    """The members that the nodes of a cluster decide."""
    return {name: cluster[name] for name in DECIDED if name in cluster}


@ended_by(CLUSTER)
def ended_cluster(call: Call, row: Row) -> None:
    """The access entries of the roles go with the cluster."""
    if eks := eks_cluster_of(row):
        _follow_roles(call, eks, _roles(row.get(GROUPS, [])), set())


def new_suffix() -> str:
    """The end of an ARN of SageMaker."""
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(SUFFIX_LENGTH))


def _require_creatable(call: Call, row: Row, groups: Iterable[Row]) -> None:
    """An update leaves a cluster that could be new: what depends on several members, one request may not have."""
    whole = replace(call, parameters={**row, GROUPS: [requested(group) for group in groups]})
    for name, precondition in preconditions(call.service, "CreateCluster"):
        for fields in violations(precondition, whole) if precondition.when else ():
            raise api_error(name, **fields)


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
    if cluster["status"] != ACTIVE:
        raise api_error("sagemaker.eks_cluster_status", name=eks, status=cluster["status"])
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
