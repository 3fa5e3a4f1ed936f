"""Nodes of HyperPod clusters: listed, described, added, deleted, rebooted, replaced."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing

NODES = "nodes"
"""The member of a cluster's row that has its nodes by id."""
ID_DIGITS = 17
OF_INSTANCES = ("ErrorCode", "InstanceIdNotFound")
"""The member and the code of the error about an unknown node."""

Row = dict[str, Any]


def with_nodes(
    call: Call, groups: Sequence[Row], nodes: Mapping[str, Row], *, is_continuous: bool
) -> Mapping[str, Any]:
    """The groups with their counts, and as many nodes: the newest of a group that shrinks are gone.

    A type of which EC2 has too few gives fewer nodes where nodes are provisioned continuously; otherwise no group
    changes. Raises ServiceError then.
    """
    kept: dict[str, Row] = {}
    for group in groups:
        own = {key: node for key, node in nodes.items() if node["InstanceGroupName"] == group["InstanceGroupName"]}
        wanted = group["TargetCount"]
        missing = _possible(call, group, wanted - len(own), is_continuous=is_continuous)
        kept |= dict(list(own.items())[:wanted])
        kept |= {node["InstanceId"]: node for node in (_node(group) for _ in range(missing))}
    counts = Counter(node["InstanceGroupName"] for node in kept.values())
    counted = [{**group, "CurrentCount": counts[group["InstanceGroupName"]]} for group in groups]
    return {"InstanceGroups": counted, NODES: kept}


def _possible(call: Call, group: Row, wanted: int, *, is_continuous: bool) -> int:
    """How many of the nodes there is capacity for."""
    instance_type = type_of(group).removeprefix("ml.")
    scarcity = call.store.scarce.get(instance_type)
    if wanted <= 0 or scarcity is None or wanted <= scarcity.available:
        return max(wanted, 0)
    scarcity.injected += 1
    if not is_continuous:
        raise api_error("sagemaker.capacity", instance_type=f"ml.{instance_type}")
    return scarcity.available


def type_of(group: Mapping[str, Any]) -> str:
    """The instance type of new nodes of a group; the first of several."""
    return str(group.get("InstanceType") or group["InstanceRequirements"]["InstanceTypes"][0])


def _node(group: Row) -> Row:
    life_cycle = {"LifeCycleConfig": group["LifeCycleConfig"]} if "LifeCycleConfig" in group else {}
    return {
        "InstanceGroupName": group["InstanceGroupName"],
        "InstanceId": f"i-{secrets.token_hex(ID_DIGITS)[:ID_DIGITS]}",
        "InstanceType": type_of(group),
        "InstanceStatus": {"Status": "Running"},
        "LaunchTime": CLOCK.now(),
        "LastSoftwareUpdateTime": CLOCK.now(),
        **life_cycle,
    }


def find_cluster(call: Call, name: str) -> Row:
    """The row of a cluster by its name or ARN. Raises ServiceError without one."""
    for row in call.table("Cluster").values():
        if name in (row["ClusterName"], row["ClusterArn"]):
            found: Row = row
            return found
    raise api_error("sagemaker.no_cluster", name=name)


@operation("sagemaker", "ListClusterNodes")
def list_cluster_nodes(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    part = given.get("InstanceGroupNameContains", "")
    nodes = find_cluster(call, given["ClusterName"])[NODES].values()
    return listing(call, "ClusterNodeSummaries", [node for node in nodes if part in node["InstanceGroupName"]])


@operation("sagemaker", "DescribeClusterNode")
def describe_cluster_node(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    nodes = find_cluster(call, given["ClusterName"])[NODES]
    if given.get("NodeId") not in nodes:
        raise api_error("sagemaker.no_node", node=given.get("NodeId"), cluster=given["ClusterName"])
    return {"NodeDetails": nodes[given["NodeId"]]}


def _rebooted(_nodes: dict[str, Row], _node_id: str) -> None:
    """Nothing is different afterwards."""


def _replaced(nodes: dict[str, Row], node_id: str) -> None:
    """Another machine with another id takes the place."""
    old = nodes.pop(node_id)
    new = {**old, "InstanceId": f"i-{secrets.token_hex(ID_DIGITS)[:ID_DIGITS]}", "LaunchTime": CLOCK.now()}
    nodes[new["InstanceId"]] = new


@operation("sagemaker", "BatchRebootClusterNodes")
def batch_reboot(call: Call) -> Mapping[str, Any]:
    return _each_node(call, _rebooted, *OF_INSTANCES)


@operation("sagemaker", "BatchReplaceClusterNodes")
def batch_replace(call: Call) -> Mapping[str, Any]:
    return _each_node(call, _replaced, *OF_INSTANCES)


@operation("sagemaker", "BatchDeleteClusterNodes")
def batch_delete(call: Call) -> Mapping[str, Any]:
    """The target of a group falls with its nodes."""
    cluster = find_cluster(call, call.parameters["ClusterName"])

    def delete(nodes: dict[str, Row], node_id: str) -> None:
        name = nodes.pop(node_id)["InstanceGroupName"]
        for group in cluster["InstanceGroups"]:
            if group["InstanceGroupName"] == name:
                group["TargetCount"] -= 1
                group["CurrentCount"] -= 1

    return _each_node(call, delete, "Code", "NodeIdNotFound")


def _each_node(call: Call, act: Callable[[dict[str, Row], str], None], member: str, code: str) -> Mapping[str, Any]:
    """Acts on nodes that the cluster has, and returns an error for each of the others."""
    nodes = find_cluster(call, call.parameters["ClusterName"])[NODES]
    wanted: Sequence[str] = call.parameters.get("NodeIds", [])
    known = [node_id for node_id in wanted if node_id in nodes]
    unknown = [node_id for node_id in wanted if node_id not in nodes]
    for node_id in known:
        act(nodes, node_id)
    failed = [{"NodeId": each, member: code, "Message": f"The node {each} does not exist"} for each in unknown]
    return {"Successful": known, "Failed": failed}
