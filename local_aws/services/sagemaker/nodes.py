"""Nodes of HyperPod clusters: listed and described, also those that have not started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.paging import listing
from local_aws.services.sagemaker.cluster_rows import (
    AWAITED,
    GROUPS,
    NAME,
    NODES,
    Row,
    by_name,
    find_cluster,
    types_of,
)
from local_aws.services.sagemaker.instances import PENDING, STATUS

LOGICAL_ID = "NodeLogicalId"


@operation("sagemaker", "ListClusterNodes")
def list_cluster_nodes(call: Call) -> Mapping[str, Any]:
    """The nodes that have started; with their logical ids also those that have not, which have no time yet.

    Inferred: that the name by which they are sorted is that of the group.
    """
    given, cluster = call.parameters, find_cluster(call, call.parameters["ClusterName"])
    with_logical_ids = given.get("IncludeNodeLogicalIds", False)
    nodes = [*cluster[NODES].values(), *(_pending(cluster) if with_logical_ids else ())]
    found = [node if with_logical_ids else _without_logical_id(node) for node in nodes if _is_requested(given, node)]
    if given.get("SortBy") == "NAME":
        found.sort(key=lambda node: str(node[NAME]))
    return listing(call, "ClusterNodeSummaries", found[::-1] if given.get("SortOrder") == "Descending" else found)


@operation("sagemaker", "DescribeClusterNode")
def describe_cluster_node(call: Call) -> Mapping[str, Any]:
    given, cluster = call.parameters, find_cluster(call, call.parameters["ClusterName"])
    member, wanted = ("InstanceId", given["NodeId"]) if "NodeId" in given else (LOGICAL_ID, given.get(LOGICAL_ID))
    for node in (*cluster[NODES].values(), *_pending(cluster)):
        if node.get(member) == wanted:
            return {"NodeDetails": node}
    raise api_error("sagemaker.no_node", node=wanted, cluster=given["ClusterName"])


def _is_requested(given: Mapping[str, Any], node: Row) -> bool:
    launched, first, last = node.get("LaunchTime"), given.get("CreationTimeAfter"), given.get("CreationTimeBefore")
    in_time = (first is None or (launched and launched > first)) and (last is None or (launched and launched < last))
    return bool(in_time) and given.get("InstanceGroupNameContains", "") in node[NAME]


def _without_logical_id(node: Row) -> Row:
    return {name: value for name, value in node.items() if name != LOGICAL_ID}


def _pending(cluster: Row) -> Iterator[Row]:
    """Nodes that have a logical id and have not started."""
    groups = by_name(cluster[GROUPS])
    for name, nodes in cluster[AWAITED].items():
        for node in nodes:
            instance_type = node.get("InstanceTypes", types_of(groups[name]))[0]
            status = {"Status": PENDING}
            yield {NAME: name, LOGICAL_ID: node[LOGICAL_ID], "InstanceType": instance_type, STATUS: status}
