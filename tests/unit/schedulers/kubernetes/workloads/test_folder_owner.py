"""Pods that write to a folder of the environment as another user than its owner are reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.folder_owner import owner_findings
from tests.every_case import every_case


def pod(
    *, user: int | None = None, own: int | None = None, claim: str = "lustre", read_only: bool = False
) -> dict[str, Any]:
    """``user`` is that of the pod, ``own`` that of its container."""
    container: dict[str, Any] = {"name": "main", "volumeMounts": [{"name": "data", "readOnly": read_only}]}
    if own is not None:
        container["securityContext"] = {"runAsUser": own}
    spec: dict[str, Any] = {
        "containers": [container],
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}, {"name": "tmp", "emptyDir": {}}],
    }
    if user is not None:
        spec["securityContext"] = {"runAsUser": user}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


def found(plan: ClusterPlan, *objects: dict[str, Any], namespace: str = "default") -> list[tuple[str, str]]:
    assert plan.kubernetes is not None
    findings = owner_findings(objects, plan.kubernetes, chart="mine", namespace=namespace)
    return [(each.id, each.message) for each in findings]


@every_case(
    "asked, is_found",
    [
        ({}, False),
        ({"user": 1000}, False),
        ({"user": 0}, False),
        ({"user": 2000}, True),
        ({"user": 1000, "own": 2000}, True),
        ({"user": 2000, "own": 1000}, False),
        ({"user": 2000, "read_only": True}, False),
        ({"user": 2000, "claim": "mine"}, False),
    ],
)
def test_a_pod(asked: dict[str, Any], is_found: bool, cached_plan: Callable[..., ClusterPlan]) -> None:
    assert bool(found(cached_plan("train-trn1"), pod(**asked))) == is_found


@pytest.mark.hints("W9265")
def test_each_user_is_reported_once_and_the_owner_of_the_hint_is_not(cached_plan: Callable[..., ClusterPlan]) -> None:
    plan = cached_plan("train-trn1")
    ((finding_id, message),) = found(plan, pod(user=2000), pod(user=2000))
    assert (finding_id, "as user 2000, and its folders belong to 1000:1000" in message) == ("W9265", True)
    assert found(plan, pod(user=1000)) == []
    assert found(plan, pod(user=2000), namespace="other") == []
