"""Pods that write to a read-only claim of the environment are reported, and those that read it are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.read_only_claims import read_only_findings
from tests.every_case import every_case

EDITS = {
    "eks.namespaces": [{"name": "default", "claims": ["lustre", "datasets"]}],
    "eks.addons.mountpoint_s3_csi_driver": True,
}


def pod(claim: str, *, mount_only: bool = False, volume_only: bool = False) -> dict[str, Any]:
    source: dict[str, Any] = {"claimName": claim, "readOnly": volume_only}
    mounts = [{"name": "data", "mountPath": "/data", "readOnly": mount_only}]
    spec = {
        "containers": [{"name": "main", "volumeMounts": mounts}],
        "volumes": [{"name": "data", "persistentVolumeClaim": source}],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}


def found(plan: ClusterPlan, body: dict[str, Any], namespace: str = "default") -> list[tuple[str, str]]:
    assert plan.kubernetes is not None
    findings = read_only_findings([body], plan.kubernetes, chart="mine", namespace=namespace)
    return [(each.id, each.hint) for each in findings]


@pytest.mark.hints("E9271")
@every_case(
    "body, is_found",
    [
        (pod("datasets"), True),
        (pod("datasets", mount_only=True), False),
        (pod("datasets", volume_only=True), False),
        (pod("lustre"), False),
        (pod("mine"), False),
    ],
)
def test_a_pod(body: dict[str, Any], is_found: bool, cached_plan: Callable[..., ClusterPlan]) -> None:
    findings = found(cached_plan("train-trn1", EDITS), body)
    assert [finding_id for finding_id, _ in findings] == (["E9271"] if is_found else [])
    assert all("--claim lustre" in hint and "readOnly: true" in hint for _, hint in findings)


def test_a_claim_of_that_name_that_the_environment_does_not_create(cached_plan: Callable[..., ClusterPlan]) -> None:
    assert found(cached_plan("train-trn1", EDITS), pod("datasets"), namespace="other") == []
    assert found(cached_plan("train-trn1"), pod("datasets")) == []
