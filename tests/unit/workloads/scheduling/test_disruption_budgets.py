"""Budgets that allow no eviction of the workload beside them."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.workloads.scheduling.disruption_budgets import disruption_budget_findings

LABELS = {"app": "llm"}


def found(replicas: int, *, kind: str = "Deployment", app: str = "llm", **spec: Any) -> list[Finding]:
    template = {"metadata": {"labels": {"app": app}}, "spec": {"containers": [{"name": "server"}]}}
    server = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "llm"},
        "spec": {"replicas": replicas, "template": template},
    }
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "llm"},
        "spec": {"selector": {"matchLabels": LABELS}, **spec},
    }
    return list(disruption_budget_findings([("server.yaml", [server]), ("budget.yaml", [budget])]))


@pytest.mark.parametrize(
    ("replicas", "spec"),
    [
        (1, {"minAvailable": 1}),
        (3, {"minAvailable": 3}),
        (3, {"minAvailable": 5}),
        (4, {"minAvailable": "100%"}),
        (3, {"minAvailable": "67%"}),
        (4, {"maxUnavailable": 0}),
        (4, {"maxUnavailable": "0%"}),
    ],
)
@pytest.mark.hints("W9313")
def test_a_budget_without_room_is_a_warning_and_max_unavailable_1_ends_it(replicas: int, spec: dict[str, Any]) -> None:
    (finding,) = found(replicas, **spec)
    assert (finding.id, finding.location.file, finding.location.path) == (
        "W9313", "budget.yaml", "PodDisruptionBudget/llm",
    )  # fmt: skip
    assert "PodEvictionFailure" in finding.message
    assert "maxUnavailable: 1" in finding.hint
    assert not found(replicas, maxUnavailable=1)


@pytest.mark.parametrize(
    ("replicas", "more"),
    [
        (2, {"minAvailable": 1}),
        (3, {"minAvailable": "60%"}),
        (1, {"maxUnavailable": "1%"}),
        (0, {"minAvailable": 1}),
        (1, {"minAvailable": 1, "app": "other"}),
        (1, {"minAvailable": "many"}),
        (1, {}),
    ],
)
def test_a_budget_with_room_or_of_other_pods_is_none(replicas: int, more: dict[str, Any]) -> None:
    assert not found(replicas, **more)
