"""How many pods KEDA may make of a workload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from neuron_cluster.chart_values import value_at
from neuron_cluster.schedule.pod_shape import PodShape

SCALED_OBJECT = "ScaledObject"
DEFAULT_TARGET = "Deployment"
"""Source: https://keda.sh/docs/latest/reference/scaledobject-spec/ (scaleTargetRef, maxReplicaCount)."""


def at_most(pod: PodShape, objects: Sequence[Mapping[str, Any]], namespace: str) -> PodShape:
    """The pod with the replicas that a ScaledObject may ask for, where one scales its workload."""
    for body in objects:
        if body.get("kind") != SCALED_OBJECT:
            continue
        target = f"{value_at(body, 'spec.scaleTargetRef.kind') or DEFAULT_TARGET} "
        target += f"{value_at(body, 'metadata.namespace') or namespace}/{value_at(body, 'spec.scaleTargetRef.name')}"
        most = value_at(body, "spec.maxReplicaCount")
        if (pod.workload == target or pod.workload.startswith(f"{target} ")) and isinstance(most, int):
            return replace(pod, replicas=most * (pod.replicas or 1))
    return pod
