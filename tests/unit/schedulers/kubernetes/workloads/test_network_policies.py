"""A NetworkPolicy over pods that may start where nothing enforces it is a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.network_policies import policy_findings

LABELS = {"app": "viewer"}
ON_A_GROUP = {"neuron-cluster/node-group": "system"}


def policy(labels: Mapping[str, str] = LABELS, namespace: str = "default") -> dict[str, Any]:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "viewer", "namespace": namespace},
        "spec": {"podSelector": {"matchLabels": dict(labels)}},
    }


def deployment(selector: Mapping[str, str] | None = None, **annotations: str) -> dict[str, Any]:
    pod = {"containers": [], **({"nodeSelector": dict(selector)} if selector else {})}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "viewer", "annotations": annotations},
        "spec": {"template": {"metadata": {"labels": LABELS}, "spec": pod}},
    }


def found(*objects: Mapping[str, Any], autoscaler: str | None = "EKS Auto Mode") -> list[Finding]:
    return list(policy_findings(objects, autoscaler=autoscaler, chart="neuron-explorer", namespace="default"))


def test_pods_that_any_node_takes_are_not_protected_beside_auto_mode() -> None:
    (warning,) = found(policy(), deployment())
    assert (warning.id, warning.location.path) == ("W9239", "Deployment viewer")
    assert "on nodes of EKS Auto Mode, where the NetworkPolicy viewer has no effect" in warning.message
    assert found(policy(), deployment(), autoscaler=None) == []


@pytest.mark.hints("W9239")
def test_pods_of_a_node_group_are_protected() -> None:
    (warning,) = found(policy(), deployment())
    (label,) = ON_A_GROUP
    assert label in warning.hint
    assert found(policy(), deployment(ON_A_GROUP)) == []
    assert found(policy(), deployment({"node.kubernetes.io/instance-type": "trn2.48xlarge"})) == []


def test_a_policy_speaks_of_the_pods_that_it_selects_in_its_namespace() -> None:
    assert found(policy({"app": "other"}), deployment()) == []
    assert found(policy(namespace="team-a"), deployment()) == []
    assert found(policy({}), deployment()) != []
    assert found(policy(), deployment(**{"helm.sh/hook": "test"})) == []
