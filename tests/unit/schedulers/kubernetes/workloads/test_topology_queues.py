"""E9267: Kueue admits no pod without devices to a queue whose node groups all have a network topology."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import topology_findings

PlanOf = Callable[..., Any]
NEURON = "aws.amazon.com/neuron"
QUEUED = {"eks.node_groups.1.queue": "research", "eks.node_groups.1.network_topology": True}


def found(plan_of: PlanOf, edits: Mapping[str, Any], *, queue: str = "research", devices: str = "") -> list[Finding]:
    resources = {"limits": {NEURON: devices}} if devices else {}
    container = {"name": "main", "image": "main:1", "resources": resources}
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "warm", "labels": {"kueue.x-k8s.io/queue-name": queue}},
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
    }
    return list(topology_findings([job], plan_of("train-trn2", edits).kubernetes, "compile-cache-warmer", "default"))


@pytest.mark.hints("E9267")
def test_pods_without_devices_are_in_no_queue_of_nodes_with_a_topology(plan_of: PlanOf) -> None:
    (error,) = found(plan_of, QUEUED)
    assert (error.id, error.location.path) == ("E9267", "queue.name")
    assert "Job default/warm requests no device" in error.message
    assert "--queue ''" in error.hint
    assert found(plan_of, QUEUED, queue="") == []
    assert "network_topology: false" in error.hint
    assert found(plan_of, {**QUEUED, "eks.node_groups.1.network_topology": False}) == []


def test_pods_with_devices_are_placed_by_them(plan_of: PlanOf) -> None:
    assert found(plan_of, QUEUED, devices="4") == []
