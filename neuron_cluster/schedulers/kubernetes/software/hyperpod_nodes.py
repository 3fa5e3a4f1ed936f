"""Node groups of SageMaker HyperPod, and what tolerates their nodes that are not healthy or are being checked."""

from __future__ import annotations

from collections.abc import Iterable

from local_kubernetes.model.hyperpod import HEALTH_TAINT, HYPERPOD_TYPE
from local_kubernetes.model.placement import Toleration, toleration_for
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

HYPERPOD = "hyperpod"
"""The family of the image of such a group: SageMaker chooses the AMI."""


def is_hyperpod(group: NodeGroupPlan) -> bool:
    """Whether SageMaker HyperPod provides the nodes of a group."""
    return group.image.family == HYPERPOD


def health_tolerations(groups: Iterable[NodeGroupPlan]) -> tuple[Toleration, ...]:
    """Returns the toleration of the taint where one of the groups has an instance type of HyperPod."""
    has_nodes = any(group.machine.instance_type.startswith(HYPERPOD_TYPE) for group in groups)
    return (toleration_for(HEALTH_TAINT),) if has_nodes else ()
