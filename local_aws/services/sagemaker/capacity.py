"""Machines for nodes of HyperPod: those of a training plan are there, others may be scarce."""

from __future__ import annotations

from local_aws.contract import Call
from local_aws.services.sagemaker.cluster_rows import GROUPS, NAME, NODES, Row, types_of

PLAN = "TrainingPlanArn"


def machines_left(call: Call, cluster: Row, group: Row, instance_type: str, wanted: int) -> int:
    """How many more nodes of a type a group can have; ``wanted`` where it has a plan or the type is not scarce."""
    scarcity = call.store.scarce.get(_ec2_type(instance_type))
    if scarcity is None or group.get(PLAN):
        return wanted
    name = cluster["ClusterName"]
    clusters = [cluster, *(row for key, row in call.table("Cluster").items() if key != name)]
    return max(0, scarcity.available - sum(_running(row, instance_type) for row in clusters))


def note_scarcity(call: Call, group: Row) -> None:
    """Counts a group that did not get all of its nodes."""
    for name in map(_ec2_type, types_of(group)):
        if name in call.store.scarce:
            call.store.scarce[name].injected += 1


def _running(cluster: Row, instance_type: str) -> int:
    """Nodes of the type that are not those of a plan."""
    on_plans = {group[NAME] for group in cluster[GROUPS] if group.get(PLAN)}
    nodes = [node for node in cluster[NODES].values() if node[NAME] not in on_plans]
    return sum(node["InstanceType"] == instance_type for node in nodes)


def _ec2_type(instance_type: str) -> str:
    return instance_type.removeprefix("ml.")
