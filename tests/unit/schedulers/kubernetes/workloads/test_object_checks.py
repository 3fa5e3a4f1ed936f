"""A claim that pods mount and nothing makes is said, with the value that names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.schedulers.kubernetes.workloads.object_checks import claim_findings
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues

Choose = Callable[..., WorkloadValues]


def job(*claims: str) -> dict[str, Any]:
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims]
    pod = {"volumes": [*volumes, {"name": "tmp", "emptyDir": {}}], "containers": []}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": pod}}}


def claim(name: str, namespace: str | None = None) -> dict[str, Any]:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata}


@pytest.fixture(scope="module")
def chosen(choose: Choose) -> WorkloadValues:
    return choose("neuron-training", "train-trn2", claim="lustre")


@pytest.fixture(scope="module")
def eks(cached_plan: Callable[..., Any]) -> Any:
    return cached_plan("train-trn2").kubernetes


def test_a_claim_of_the_environment_is_there_in_its_own_namespaces_alone(chosen: WorkloadValues, eks: Any) -> None:
    assert not list(claim_findings(chosen, [job("lustre")], eks, "default"))
    (found,) = claim_findings(chosen, [job("lustre")], eks, "team-a")
    assert "use --namespace default, which has it" in found.hint
    (found,) = claim_findings(chosen, [job("other")], eks, "default")
    assert "--namespace" not in found.hint


def test_each_claim_that_nothing_makes_is_said_once(chosen: WorkloadValues, eks: Any) -> None:
    found = list(claim_findings(chosen, [job("lustre", "other"), job("lustre")], eks, "team-a"))
    assert [(each.id, each.location.path) for each in found] == [
        ("W9231", "checkpoints.claim"),
        ("W9231", "PersistentVolumeClaim"),
    ]
    assert "creates the PersistentVolumeClaim lustre: without it in namespace team-a" in found[0].message
    assert "docs/storage.md" in found[0].hint


def test_a_claim_of_the_chart_is_there_in_its_own_namespace_alone(chosen: WorkloadValues, eks: Any) -> None:
    assert not list(claim_findings(chosen, [job("lustre"), claim("lustre")], eks, "team-a"))
    assert list(claim_findings(chosen, [job("lustre"), claim("lustre", "team-b")], eks, "team-a"))
    assert not list(claim_findings(chosen, [job()], eks, "team-a"))


def test_a_render_without_a_claim_names_those_of_its_namespace(choose: Choose) -> None:
    """finetune-trn1 keeps runs on EFS, under the name of the file."""
    (found,) = [
        each for each in choose("neuron-training", "finetune-trn1").findings if each.location.path == "checkpoints"
    ]
    assert (found.id, "--claim efs-runs, a PersistentVolumeClaim that the environment creates" in found.hint) == (
        "W9215",
        True,
    )
    (elsewhere,) = [
        each
        for each in choose("neuron-training", "finetune-trn1", namespace="elsewhere").findings
        if each.location.path == "checkpoints"
    ]
    assert "efs-runs" not in elsewhere.hint
