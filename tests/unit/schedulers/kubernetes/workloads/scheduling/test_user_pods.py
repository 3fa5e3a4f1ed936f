"""Objects that have no verdict are named, each with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.schedulers.kubernetes.manifest_rules.discover import all_manifest_rules
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.user_pods import (
    PLACEMENT_RULES,
    UNREADABLE,
    pods_of_manifest,
)

CONTAINERS = {"containers": [{"name": "main"}]}


def made(api_version: str, kind: str, spec: Any, name: str = "y") -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec}


POD = made("v1", "Pod", CONTAINERS, name="x")


def evaluated(*objects: dict[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    pods, findings = pods_of_manifest("a.yaml", objects, others=())
    assert all(each.location.file == "a.yaml" and each.hint for each in findings)
    return [pod.workload for pod in pods], [(each.id, each.location.path) for each in findings]


@pytest.mark.parametrize(
    "unknown",
    [
        made("kubeflow.org/v1", "TFJob", {"tfReplicaSpecs": {"Worker": {"template": {"spec": CONTAINERS}}}}),
        made("batch.volcano.sh/v1alpha1", "Job", {"tasks": [{"replicas": 2, "template": {"spec": CONTAINERS}}]}),
        made("serving.knative.dev/v1", "Service", {"template": {"spec": CONTAINERS}}),
        made("example.com/v1", "Mesh", CONTAINERS),
    ],
)
def test_a_kind_with_containers_that_is_not_known_is_named(unknown: dict[str, Any]) -> None:
    """A kind of this name in another group is not known either."""
    assert evaluated(POD, unknown) == (["Pod default/x"], [("W9304", f"{unknown['kind']}/y")])
    (finding,) = pods_of_manifest("a.yaml", [unknown], others=())[1]
    assert finding.message == (
        f"not checked: {unknown['kind']}/y ({unknown['apiVersion']}): the pods of this kind are not known"
    )


@pytest.mark.parametrize(
    "other",
    [
        made("v1", "ConfigMap", None) | {"data": {"job.yaml": "containers: [{}]"}},
        made("apiextensions.k8s.io/v1", "CustomResourceDefinition", {"required": ["containers"], "containers": {}}),
    ],
)
def test_what_has_no_containers_is_no_matter_of_the_scheduler(other: dict[str, Any]) -> None:
    assert evaluated(other) == ([], [])


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ({"nodeSelector": {"team": 7}}, "E8814"),
        ({"tolerations": [{"key": "a", "operator": "Foo"}]}, "E8825"),
        ({"tolerations": [{"operator": "Equal"}]}, "E8828"),
        ({"containers": [{"name": "main", "resources": {"requests": {"cpu": -5}}}]}, "E8801"),
        ({"containers": [{"name": "main", "resources": {"requests": {1: 5}}}]}, "E8806"),
        ({"containers": [{"name": "main", "resources": {"limits": {"aws.amazon.com/neuron": "500m"}}}]}, "E8802"),
        ({"containers": [{"name": "main", "resources": {"limits": {"hugepages-2Mi": "256"}}}]}, "E8807"),
    ],
)
def test_an_object_that_breaks_a_rule_has_its_findings_and_no_verdict(broken: dict[str, Any], rule: str) -> None:
    pods, findings = evaluated(made("v1", "Pod", CONTAINERS | broken), POD)
    assert pods == ["Pod default/x"]
    assert {found for found, _ in findings} == {rule}


def test_what_the_scheduler_does_not_ask_about_keeps_no_verdict_away() -> None:
    """Neither an image without a tag nor an account, a namespace or a map that may be in the cluster."""
    spec = {
        "serviceAccountName": "trainer",
        "containers": [{"name": "main", "image": "train", "envFrom": [{"configMapRef": {"name": "settings"}}]}],
    }
    pod = made("v1", "Pod", spec)
    pod["metadata"]["namespace"] = "ml"
    assert evaluated(pod) == (["Pod ml/y"], [])


def test_the_rules_are_there() -> None:
    assert UNREADABLE < PLACEMENT_RULES <= {rule.id for rule in all_manifest_rules()}


@pytest.mark.parametrize("name", ["A_b!", "a\0", ""])
def test_a_name_that_the_api_server_refuses_has_no_verdict(name: str) -> None:
    pods, findings = evaluated(made("v1", "Pod", CONTAINERS, name=name))
    assert pods == []
    assert [finding_id for finding_id, _ in findings] == ["E8811"]
    assert evaluated(made("v1", "Pod", {"containers": [{"name": "A_b"}]}))[0] == []
