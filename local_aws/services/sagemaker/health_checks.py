"""StartClusterHealthCheck: the nodes of groups, or those that the request names, pass deep health checks or fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.sagemaker.cluster_rows import GROUPS, NAME, NODES, Row, by_name, find_cluster
from local_aws.services.sagemaker.events import record
from local_aws.services.sagemaker.instances import CHECKS, RUNNING, STATUS, fail_node
from local_aws.services.sagemaker.provisioning import nodes_of


@operation("sagemaker", "StartClusterHealthCheck")
def start_cluster_health_check(call: Call) -> Mapping[str, Any]:
    cluster = find_cluster(call, call.parameters["ClusterName"])
    asked = call.parameters["DeepHealthCheckConfigurations"]
    _require_known(cluster, asked)
    for configuration in asked:
        named = configuration.get("InstanceIds") or nodes_of(cluster, configuration[NAME])
        for node_id in named:
            _check_node(call, cluster, cluster[NODES][node_id])
    return {"ClusterArn": cluster["ClusterArn"]}


def _require_known(cluster: Row, asked: list[Row]) -> None:
    groups = by_name(cluster[GROUPS])
    for configuration in asked:
        name = configuration[NAME]
        if name not in groups:
            raise api_error("sagemaker.no_group", name=name, cluster=cluster["ClusterName"])
        own = nodes_of(cluster, name)
        if absent := [node for node in configuration.get("InstanceIds", []) if node not in own]:
            raise api_error("sagemaker.no_node", node=absent[0], cluster=cluster["ClusterName"])


def _check_node(call: Call, cluster: Row, node: Row) -> None:
    fault = call.store.unhealthy.get(node[NAME])
    if fault is not None:
        fault.injected += 1
        fail_node(cluster, node, CHECKS)
        return
    node[STATUS] = {"Status": RUNNING}
    record(cluster, "Deep health checks passed", group=node[NAME], node=node["InstanceId"])
