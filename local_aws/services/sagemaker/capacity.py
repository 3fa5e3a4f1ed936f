"""Machines for nodes of HyperPod and training jobs: those of a training plan are there, others may be scarce."""

from __future__ import annotations

from collections.abc import Iterable

from local_aws.contract import Call
from local_aws.services.sagemaker.cluster_rows import GROUPS, NAME, NODES, Row, types_of
from local_aws.services.sagemaker.job_rows import running_jobs

PLAN = "TrainingPlanArn"


def machines_left(call: Call, cluster: Row, group: Row, instance_type: str, wanted: int) -> int:
    """How many more nodes of a type a group can have; ``wanted`` where it has a plan or the type is not scarce."""
    if group.get(PLAN):
        return wanted
    name = cluster["ClusterName"]
    clusters = [cluster, *(row for key, row in call.table("Cluster").items() if key != name)]
    left = _left(call, clusters, instance_type)
    return wanted if left is None else left


def instances_left(call: Call, instance_type: str) -> int | None:
    """How many more instances of a type training jobs can have; None for a type that is not scarce."""
    return _left(call, call.table("Cluster").values(), instance_type)


def note_scarcity(call: Call, group: Row) -> None:
    """Counts a group that did not get all of its nodes."""
    note_scarce_types(call, types_of(group))


def note_scarce_types(call: Call, instance_types: Iterable[str]) -> None:
    """Counts a launch that did not get all of its machines, for each of its types that is scarce."""
    for name in map(_ec2_type, instance_types):
        if name in call.store.scarce:
            call.store.scarce[name].injected += 1


def _left(call: Call, clusters: Iterable[Row], instance_type: str) -> int | None:
    scarcity = call.store.scarce.get(_ec2_type(instance_type))
    if scarcity is None:
        return None
    used = sum(_running(row, instance_type) for row in clusters) + running_jobs(call, instance_type)
    return max(0, scarcity.available - used)


def _running(cluster: Row, instance_type: str) -> int:
    """Nodes of the type that are not those of a plan."""
    on_plans = {group[NAME] for group in cluster[GROUPS] if group.get(PLAN)}
    nodes = [node for node in cluster[NODES].values() if node[NAME] not in on_plans]
    return sum(node["InstanceType"] == instance_type for node in nodes)


def _ec2_type(instance_type: str) -> str:
    return instance_type.removeprefix("ml.")
