"""One node of a HyperPod group: it starts, fails, and is replaced by another."""

from __future__ import annotations

import re
import secrets

from local_aws.clock import CLOCK, DELAYS
from local_aws.contract import Call
from local_aws.services.sagemaker.cluster_rows import NAME, NODES, Row
from local_aws.services.sagemaker.events import record
from local_aws.services.seed_data import seed_data

ID_DIGITS, LOGICAL_DIGITS = 17, 12
STATUS, RUNNING, FAILURE, PENDING = "InstanceStatus", "Running", "Failure", "Pending"
RUNS_AT = "runs_at"
"""The member of a node that is Pending until then."""
HARDWARE = "The node reports a hardware failure"
CHECKS = "Deep health checks did not run successfully"
"""Messages of nodes that failed; inferred."""
OF_GROUP = ("LifeCycleConfig", "ThreadsPerCore", "InstanceStorageConfigs", "OverrideVpcConfig", "KubernetesConfig")
"""Members that a node has from its group, as the images that run."""


def new_logical_id() -> str:
    """An id of a node, which its replacement has too."""
    return f"node-{secrets.token_hex(LOGICAL_DIGITS)}"


def start_node(cluster: Row, group: Row, instance_type: str, logical_id: str) -> Row:
    """Adds a node to the cluster."""
    node = {
        NAME: group[NAME],
        "InstanceId": _new_id(),
        "NodeLogicalId": logical_id,
        "InstanceType": instance_type,
        STATUS: {"Status": RUNNING},
        "LaunchTime": CLOCK.now(),
        "LastSoftwareUpdateTime": CLOCK.now(),
        **{name: group[name] for name in OF_GROUP if name in group},
        **{name: value for name, value in group.items() if name.startswith("CurrentImage")},
    }
    return _add(cluster, node)


def fail_node(cluster: Row, node: Row, message: str) -> None:
    node[STATUS] = {"Status": FAILURE, "Message": message}
    record(cluster, message, level="Error", group=node[NAME], node=node["InstanceId"], failure=message)


def replace_node(cluster: Row, node_id: str) -> None:
    """Another machine with another id takes the place."""
    old = cluster[NODES].pop(node_id)
    record(cluster, "The instance is replaced", level="Warn", group=old[NAME], node=node_id)
    _add(cluster, {**old, "InstanceId": _new_id(), "LaunchTime": CLOCK.now(), **_starting()})


def reboot_node(cluster: Row, node_id: str) -> None:
    node = cluster[NODES][node_id]
    record(cluster, "The instance is rebooted", group=node[NAME], node=node_id)
    node.update(_starting())


def end_starts(cluster: Row) -> None:
    """Nodes run whose replacement or reboot is over."""
    for node in cluster[NODES].values():
        if node.get(RUNS_AT) and node[RUNS_AT] <= CLOCK.now():
            node.update({STATUS: {"Status": RUNNING}, RUNS_AT: None})


def _starting() -> Row:
    """The status of a node that starts now; inferred: that a node which reboots is Pending."""
    if not DELAYS.node_repair:
        return {STATUS: {"Status": RUNNING}, RUNS_AT: None}
    return {STATUS: {"Status": PENDING}, RUNS_AT: CLOCK.now() + DELAYS.node_repair}


def recover_nodes(call: Call, cluster: Row) -> None:
    """Fails the nodes that have a fault, and replaces failed ones whose fault is over.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-resiliency-health-monitoring-agent.html,
    which does not replace nodes without accelerators; inferred: that a fault ends before its node is replaced.
    """
    for node_id, node in list(cluster[NODES].items()):
        fault, has_failed = call.store.unhealthy.get(node_id), node[STATUS]["Status"] == FAILURE
        if fault is not None and not has_failed:
            fault.injected += 1
            fail_node(cluster, node, HARDWARE)
        elif fault is None and has_failed and node[NAME] not in call.store.unhealthy and _is_replaced(cluster, node):
            replace_node(cluster, node_id)


def _is_replaced(cluster: Row, node: Row) -> bool:
    has_accelerator = re.fullmatch(seed_data("sagemaker")["cpu_types"], node["InstanceType"]) is None
    return has_accelerator and bool(cluster["NodeRecovery"] == "Automatic")


def _new_id() -> str:
    return f"i-{secrets.token_hex(ID_DIGITS)[:ID_DIGITS]}"


def _add(cluster: Row, node: Row) -> Row:
    cluster[NODES][node["InstanceId"]] = node
    record(cluster, "The instance runs", group=node[NAME], node=node["InstanceId"])
    return node
