"""BatchAddClusterNodes: the target of groups rises, and each node has a logical id before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.client_tokens import once_by_token
from local_aws.services.sagemaker.cluster_rows import (
    AWAITED,
    GROUPS,
    NAME,
    NODES,
    Row,
    by_name,
    find_cluster,
    is_continuous,
    network_of,
    types_of,
)
from local_aws.services.sagemaker.instances import PENDING, RUNNING, new_logical_id
from local_aws.services.sagemaker.node_problems import zones_of
from local_aws.services.sagemaker.provisioning import IN_SERVICE, await_nodes, fill, record_target

ZONES, TYPES = "AvailabilityZones", "InstanceTypes"
MESSAGES = {
    "InstanceGroupNotFound": "The instance group does not exist",
    "InvalidInstanceGroupStatus": "The instance group is not in service",
    "IncompatibleAvailabilityZones": "The instance group has no subnet in one of the Availability Zones",
    "IncompatibleInstanceTypes": "The instance group does not have one of the instance types",
}
"""Words by code of a failure; inferred."""


@operation("sagemaker", "BatchAddClusterNodes")
@once_by_token
def batch_add_cluster_nodes(call: Call) -> Mapping[str, Any]:
    """Adds nodes to groups that can have them, and returns a failure for each of the others."""
    cluster = find_cluster(call, call.parameters["ClusterName"])
    if not is_continuous(cluster):
        raise api_error("sagemaker.not_continuous", operation=call.operation, cluster=cluster["ClusterName"])
    groups, failed, added = by_name(cluster[GROUPS]), [], []
    for asked in call.parameters["NodesToAdd"]:
        wanted = {name: asked[name] for name in (ZONES, TYPES) if name in asked}
        if code := _failure(call, cluster, groups.get(asked[NAME]), wanted):
            count = asked["IncrementTargetCountBy"]
            failed.append(
                {NAME: asked[NAME], "ErrorCode": code, "FailedCount": count, "Message": MESSAGES[code], **wanted}
            )
        else:
            added += _added(cluster, groups[asked[NAME]], asked["IncrementTargetCountBy"], wanted)
    fill(call, cluster)
    running = {node["NodeLogicalId"] for node in cluster[NODES].values()}
    statuses = [{"Status": RUNNING if node["NodeLogicalId"] in running else PENDING, **node} for node in added]
    return {"Successful": statuses, "Failed": failed}


def _failure(call: Call, cluster: Row, group: Row | None, wanted: Row) -> str | None:
    """The code of the failure; None for a group that can have the nodes."""
    if group is None:
        return "InstanceGroupNotFound"
    if group["Status"] != IN_SERVICE:
        return "InvalidInstanceGroupStatus"
    network = network_of(cluster, group)
    if network and not {*wanted.get(ZONES, [])} <= zones_of(call, network):
        return "IncompatibleAvailabilityZones"
    return None if {*wanted.get(TYPES, [])} <= {*types_of(group)} else "IncompatibleInstanceTypes"


def _added(cluster: Row, group: Row, count: int, wanted: Row) -> list[Row]:
    """The group with a higher target, and the nodes that it awaits."""
    await_nodes(cluster, group, group["TargetCount"])
    group["TargetCount"] += count
    record_target(cluster, group)
    nodes = [{"NodeLogicalId": new_logical_id(), **wanted} for _ in range(count)]
    cluster[AWAITED][group[NAME]] = [*cluster[AWAITED].get(group[NAME], []), *nodes]
    return [{NAME: group[NAME], **node} for node in nodes]
