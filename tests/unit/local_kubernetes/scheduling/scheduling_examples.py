"""Nodes and pods for these tests, plain where a test says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.placement import NodeSelectorRequirement, Taint, Toleration
from local_kubernetes.model.scheduling.filters import unschedulable_reasons
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo

NEURON_TAINT = Taint("aws.amazon.com/neuron", "true", "NoSchedule")


def node(**given: Any) -> NodeInfo:
    plain: Mapping[str, Any] = {
        "group": "trn1",
        "labels": {"team": "red", "rack": "7"},
        "taints": (),
        "allocatable": {"cpu": 4000, "memory": 8 * 1024**3, "pods": 10, "aws.amazon.com/neuron": 16},
        "doubts": {},
    }
    return NodeInfo(**{**plain, **given})


def pod(kind: str = "Deployment", name: str = "x/server", **given: Any) -> PodInfo:
    plain: Mapping[str, Any] = {
        "node_selector": {},
        "affinity": (),
        "tolerations": (),
        "requests": {"pods": 1},
        "replicas": None if kind == "DaemonSet" else 1,
    }
    return PodInfo(workload=f"{kind} {name}", kind=kind, **{**plain, **given})


def wants(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)  # type: ignore[arg-type]  # tests give it as text


def toleration(key: str | None, effect: str | None = None, value: str | None = None) -> Toleration:
    operator = "Exists" if value is None else "Equal"
    return Toleration(key=key, operator=operator, value=value, effect=effect)  # type: ignore[arg-type]  # as above


def messages(pod: PodInfo, node: NodeInfo) -> tuple[str, ...]:
    """Why the pod does not fit on the node; empty: it fits."""
    return tuple(each.message for each in unschedulable_reasons(pod, node))
