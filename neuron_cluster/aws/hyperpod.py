"""Clusters of SageMaker HyperPod, their instance groups, nodes and events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class InstanceGroupState(Struct, frozen=True):
    name: str
    instance_type: str
    status: str
    current: int
    """Instances that HyperPod has."""
    target: int
    """Instances that were requested."""
    training_plan: str = ""
    """ARN of its training plan; empty without one."""
    release: str = ""
    """Release version of the AMI that its nodes run; empty where SageMaker returns none."""


class HyperPodCluster(Struct, frozen=True):
    name: str
    arn: str
    status: str
    recovery: str
    """``Automatic`` or ``None``."""
    is_continuous: bool
    eks_cluster_arn: str
    """Empty with another orchestrator."""
    groups: tuple[InstanceGroupState, ...]
    failure: str = ""


class NodeState(Struct, frozen=True):
    id: str
    """EC2 instance id; empty while the node has no instance."""
    group: str
    status: str
    message: str = ""
    launched: datetime | None = None
    instance_type: str = ""
    logical_id: str = ""
    """Empty where the request does not include it."""


class RejectedNode(Struct, frozen=True):
    """A node of a request on which HyperPod does not act."""

    id: str
    code: str
    message: str


class ClusterEvent(Struct, frozen=True):
    at: datetime
    level: str
    """``Info``, ``Warn`` or ``Error``."""
    group: str
    instance: str
    text: str


def cluster(target: Target, name: str) -> HyperPodCluster | None:
    """Returns the cluster with this name or ARN; None when there is none."""
    sagemaker = client(target, "sagemaker")
    with translated():
        try:
            row = sagemaker.describe_cluster(ClusterName=name)
        except sagemaker.exceptions.ResourceNotFound:
            return None
    return HyperPodCluster(
        name=row.get("ClusterName", name),
        arn=row["ClusterArn"],
        status=row["ClusterStatus"],
        recovery=row.get("NodeRecovery", "None"),
        is_continuous=row.get("NodeProvisioningMode") == "Continuous",
        eks_cluster_arn=row.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn", ""),
        groups=tuple(map(_group, row.get("InstanceGroups", ()))),
        failure=row.get("FailureMessage", ""),
    )


def nodes(target: Target, name: str, *, with_awaited: bool = False) -> tuple[NodeState, ...]:
    """Returns the nodes of a cluster; with ``with_awaited`` also those that have no instance yet."""
    awaited = {"IncludeNodeLogicalIds": True} if with_awaited else {}
    with translated():
        pages = client(target, "sagemaker").get_paginator("list_cluster_nodes").paginate(ClusterName=name, **awaited)
        rows = [row for page in pages for row in page["ClusterNodeSummaries"]]
    return tuple(map(_node, rows))


def events(target: Target, name: str, *, most: int) -> tuple[ClusterEvent, ...]:
    """Returns the newest events of a cluster, at most so many, the newest first."""
    with translated():
        page = client(target, "sagemaker").list_cluster_events(
            ClusterName=name, SortBy="EventTime", SortOrder="Descending", MaxResults=most
        )
    return tuple(map(_event, page.get("Events", ())))


def reboot_nodes(target: Target, name: str, ids: Sequence[str]) -> tuple[RejectedNode, ...]:
    """Requests that HyperPod reboots instances, as many as one call takes, and returns those that it rejects."""
    with translated():
        answer = client(target, "sagemaker").batch_reboot_cluster_nodes(ClusterName=name, NodeIds=list(ids))
    return _rejected(answer)


def replace_nodes(target: Target, name: str, ids: Sequence[str]) -> tuple[RejectedNode, ...]:
    """Requests that HyperPod replaces instances, as many as one call takes, and returns those that it rejects."""
    with translated():
        answer = client(target, "sagemaker").batch_replace_cluster_nodes(ClusterName=name, NodeIds=list(ids))
    return _rejected(answer)


def _rejected(answer: dict[str, Any]) -> tuple[RejectedNode, ...]:
    return tuple(RejectedNode(row["NodeId"], row["ErrorCode"], row["Message"]) for row in answer.get("Failed", ()))


def _group(row: dict[str, Any]) -> InstanceGroupState:
    return InstanceGroupState(
        name=row["InstanceGroupName"],
        instance_type=row.get("InstanceType", ""),
        status=row.get("Status", ""),
        current=row.get("CurrentCount", 0),
        target=row.get("TargetCount", 0),
        training_plan=row.get("TrainingPlanArn", ""),
        release=row.get("CurrentImageReleaseVersion", ""),
    )


def _node(row: dict[str, Any]) -> NodeState:
    status = row["InstanceStatus"]
    return NodeState(
        id=row.get("InstanceId", ""),
        group=row["InstanceGroupName"],
        status=status["Status"],
        message=status.get("Message", ""),
        launched=row.get("LaunchTime"),
        instance_type=row.get("InstanceType", ""),
        logical_id=row.get("NodeLogicalId", ""),
    )


def _event(row: dict[str, Any]) -> ClusterEvent:
    return ClusterEvent(
        at=row["EventTime"],
        level=row.get("EventLevel", "Info"),
        group=row.get("InstanceGroupName", ""),
        instance=row.get("InstanceId", ""),
        text=row.get("Description", ""),
    )
