"""Nodes of HyperPod clusters that a request reboots, replaces or deletes, each by its id or its logical id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.sagemaker.cluster_rows import AWAITED, GROUPS, NAME, NODES, Row, by_name, find_cluster
from local_aws.services.sagemaker.events import record
from local_aws.services.sagemaker.instances import FAILURE, RUNNING, STATUS, reboot_node, replace_node

IDS, LOGICAL_IDS = "NodeIds", "NodeLogicalIds"


class Batch(Struct, frozen=True):
    """An operation on several nodes."""

    act: Callable[[Row, str], bool]
    """Acts on the node of that id, and returns whether it could."""
    act_on_awaited: Callable[[Row, str], bool]
    """Likewise with the logical id of a node that has not started."""
    code: str
    """The member of an error that has its code."""
    unknown: str
    invalid: str
    """Codes of a node that does not exist, and of one on which the operation cannot act."""


def _reboot(cluster: Row, node_id: str) -> bool:
    """Inferred: that a node is rebooted or replaced while it is Running or Failure, and in no other status."""
    if not _is_steady(cluster, node_id):
        return False
    reboot_node(cluster, node_id)
    return True


def _replace(cluster: Row, node_id: str) -> bool:
    """The controller of Slurm stays."""
    if _is_controller(cluster, node_id) or not _is_steady(cluster, node_id):
        return False
    replace_node(cluster, node_id)
    return True


def _is_steady(cluster: Row, node_id: str) -> bool:
    return cluster[NODES][node_id][STATUS]["Status"] in (RUNNING, FAILURE)


def _is_controller(cluster: Row, node_id: str) -> bool:
    group = by_name(cluster[GROUPS])[cluster[NODES][node_id][NAME]]
    return bool(group.get("SlurmConfig", {}).get("NodeType") == "Controller")


def _delete(cluster: Row, node_id: str) -> bool:
    """The target of a group falls with its nodes; the controller of Slurm stays."""
    name = cluster[NODES][node_id][NAME]
    group = by_name(cluster[GROUPS])[name]
    if _is_controller(cluster, node_id):
        return False
    del cluster[NODES][node_id]
    group["TargetCount"] -= 1
    group["CurrentCount"] -= 1
    record(cluster, "The instance is terminated", group=name, node=node_id)
    return True


def _cancel(cluster: Row, logical_id: str) -> bool:
    name = next(name for name, logical_ids in _awaited(cluster) if logical_id in logical_ids)
    cluster[AWAITED][name] = [node for node in cluster[AWAITED][name] if node["NodeLogicalId"] != logical_id]
    by_name(cluster[GROUPS])[name]["TargetCount"] -= 1
    return True


def _cannot(_cluster: Row, _logical_id: str) -> bool:
    return False


REBOOT = Batch(_reboot, _cannot, "ErrorCode", "InstanceIdNotFound", "InvalidInstanceStatus")
REPLACE = Batch(_replace, _cannot, "ErrorCode", "InstanceIdNotFound", "InvalidInstanceStatus")
DELETE = Batch(_delete, _cancel, "Code", "NodeIdNotFound", "InvalidNodeStatus")
"""Source of the rule for the controller of Slurm: botocore 1.44.5, sagemaker BatchReplaceClusterNodes and
BatchDeleteClusterNodes; inferred: its code."""


@operation("sagemaker", "BatchRebootClusterNodes")
def batch_reboot(call: Call) -> Mapping[str, Any]:
    return _each_node(call, REBOOT)


@operation("sagemaker", "BatchReplaceClusterNodes")
def batch_replace(call: Call) -> Mapping[str, Any]:
    return _each_node(call, REPLACE)


@operation("sagemaker", "BatchDeleteClusterNodes")
def batch_delete(call: Call) -> Mapping[str, Any]:
    return _each_node(call, DELETE)


def _each_node(call: Call, batch: Batch) -> Mapping[str, Any]:
    """Acts on nodes that the cluster has, and returns an error for each of the others."""
    cluster, given = find_cluster(call, call.parameters["ClusterName"]), call.parameters
    answer = _outcome(batch, given.get(IDS, []), "NodeId", lambda each: _error_of(cluster, batch, each))
    if LOGICAL_IDS not in given:
        return answer
    logical = _outcome(batch, given[LOGICAL_IDS], "NodeLogicalId", lambda each: _error_of_logical(cluster, batch, each))
    return {**answer, **{f"{name}{LOGICAL_IDS}": value for name, value in logical.items()}}


def _outcome(batch: Batch, ids: list[str], member: str, error_of: Callable[[str], str | None]) -> Row:
    errors = {each: error_of(each) for each in dict.fromkeys(ids)}
    failed = [
        {member: each, batch.code: code, "Message": f"The node {each} {_reason(batch, code)}"}
        for each, code in errors.items()
        if code
    ]
    return {"Successful": [each for each, code in errors.items() if code is None], "Failed": failed}


def _reason(batch: Batch, code: str) -> str:
    return "does not exist" if code == batch.unknown else "does not allow the operation in its state"


def _error_of(cluster: Row, batch: Batch, node_id: str) -> str | None:
    if node_id not in cluster[NODES]:
        return batch.unknown
    return None if batch.act(cluster, node_id) else batch.invalid


def _error_of_logical(cluster: Row, batch: Batch, logical_id: str) -> str | None:
    nodes = {node["NodeLogicalId"]: node_id for node_id, node in cluster[NODES].items()}
    if logical_id in nodes:
        return _error_of(cluster, batch, nodes[logical_id])
    if not any(logical_id in logical_ids for _, logical_ids in _awaited(cluster)):
        return batch.unknown
    return None if batch.act_on_awaited(cluster, logical_id) else batch.invalid


def _awaited(cluster: Row) -> Iterator[tuple[str, list[str]]]:
    for name, nodes in cluster[AWAITED].items():
        yield name, [node["NodeLogicalId"] for node in nodes]
