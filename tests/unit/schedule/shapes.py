"""Nodes and pods for these tests, plain where a test says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.catalog.chart import Toleration
from neuron_cluster.plan.cluster_plan import TaintPlan
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape, Requirement

NEURON_TAINT = TaintPlan("aws.amazon.com/neuron", "true", "NO_SCHEDULE")


def node(**said: Any) -> NodeShape:
    plain: Mapping[str, Any] = {
        "group": "trn1",
        "labels": {"team": "red", "rack": "7"},
        "taints": (),
        "allocatable": {"cpu": 4000, "memory": 8 * 1024**3, "pods": 10, "aws.amazon.com/neuron": 16},
        "doubts": {},
    }
    return NodeShape(**{**plain, **said})


def pod(kind: str = "Deployment", name: str = "x/server", **said: Any) -> PodShape:
    plain: Mapping[str, Any] = {
        "node_selector": {},
        "affinity": (),
        "tolerations": (),
        "requests": {"pods": 1},
        "replicas": None if kind == "DaemonSet" else 1,
    }
    return PodShape(workload=f"{kind} {name}", kind=kind, **{**plain, **said})


def wants(key: str, operator: str, *values: str) -> Requirement:
    return Requirement(key=key, operator=operator, values=values)  # type: ignore[arg-type]  # tests give it as text


def toleration(key: str | None, effect: str | None = None, value: str | None = None) -> Toleration:
    operator = "Exists" if value is None else "Equal"
    return Toleration(key=key, operator=operator, value=value, effect=effect)  # type: ignore[arg-type]  # as above
