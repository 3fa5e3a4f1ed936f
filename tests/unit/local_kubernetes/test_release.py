"""A release knows where its objects land, which pods they make, and at which Pod Security level."""

from __future__ import annotations

from typing import Any

import pytest

from local_kubernetes.model.pod_templates import job_templates
from local_kubernetes.model.release import Release
from local_kubernetes.model.selectors import selects

POD = {
    "metadata": {"labels": {"app": "a"}},
    "spec": {"containers": [{"name": "main"}], "initContainers": [{"name": "first"}]},
}
JOB = {"spec": {"template": POD}}
PLACES = {
    "Pod": ({}, [""]),
    "Deployment": ({"spec": {"template": POD}}, ["spec.template"]),
    "CronJob": ({"spec": {"jobTemplate": JOB}}, ["spec.jobTemplate.spec.template"]),
    "JobSet": (
        {"spec": {"replicatedJobs": [{"template": JOB}, {"template": JOB}]}},
        ["spec.replicatedJobs[0].template.spec.template", "spec.replicatedJobs[1].template.spec.template"],
    ),
    "MPIJob": (
        {"spec": {"mpiReplicaSpecs": {"Launcher": {"template": POD}, "Worker": {"template": POD}}}},
        ["spec.mpiReplicaSpecs.Launcher.template", "spec.mpiReplicaSpecs.Worker.template"],
    ),
    "PyTorchJob": (
        {"spec": {"pytorchReplicaSpecs": {"Master": {"template": POD}, "Worker": {"template": POD}}}},
        ["spec.pytorchReplicaSpecs.Master.template", "spec.pytorchReplicaSpecs.Worker.template"],
    ),
    "LeaderWorkerSet": (
        {"spec": {"leaderWorkerTemplate": {"leaderTemplate": POD, "workerTemplate": POD}}},
        ["spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"],
    ),
    "ConfigMap": ({"data": {}}, []),
}


def _object(kind: str, body: dict[str, Any], name: str = "one", **metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": kind,
        **(POD if kind == "Pod" else body),
        "metadata": {"name": name, **metadata},
    }


@pytest.mark.parametrize("kind", PLACES)
def test_pods_are_found_wherever_a_kind_keeps_them(kind: str) -> None:
    body, places = PLACES[kind]
    found = list(Release([_object(kind, body)], namespace="team-a").pods("team-a"))
    assert [pod.path for pod in found] == places
    assert all([container.name for container in pod.containers] == ["first", "main"] for pod in found)


def test_jobs_are_found_inside_other_kinds() -> None:
    release = Release([_object(kind, PLACES[kind][0]) for kind in ("CronJob", "JobSet")], namespace="a")
    assert [path for one in release.objects for path, _ in job_templates(one)] == [
        "spec.jobTemplate.spec",
        "spec.replicatedJobs[0].template.spec",
        "spec.replicatedJobs[1].template.spec",
    ]


def test_an_object_lands_in_its_own_namespace_or_the_releases_or_none() -> None:
    own = _object("ConfigMap", {}, namespace="team-b")
    release = Release([own, _object("ConfigMap", {}), _object("Namespace", {}, name="team-c")], namespace="team-a")
    assert [one.namespace for one in release.objects] == ["team-b", "team-a", ""]
    assert {"team-a", "team-c", "kube-system"} <= release.namespaces
    assert "team-b" not in release.namespaces
    assert release.find("ConfigMap", "team-b", "one") is release.objects[0]
    assert release.find("Secret", "team-b", "one") is None


def test_a_namespace_says_its_own_level() -> None:
    labels = {"pod-security.kubernetes.io/enforce": "privileged"}
    release = Release([_object("Namespace", {}, name="open", labels=labels)], namespace="a", pod_security="restricted")
    assert (release.pod_security("open"), release.pod_security("a")) == ("privileged", "restricted")


@pytest.mark.parametrize(
    ("selector", "taken"),
    [
        ({}, True),
        ({"matchLabels": {"app": "a"}}, True),
        ({"matchLabels": {"app": "b"}}, False),
        ({"matchLabels": {"jobset.sigs.k8s.io/jobset-name": "one"}}, True),
        ({"matchLabels": {"leaderworkerset.sigs.k8s.io/name": "one"}}, False),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["a", "b"]}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["a"]}]}, False),
        ({"matchExpressions": [{"key": "app", "operator": "Exists"}]}, True),
        ({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "Near"}]}, False),
    ],
)
def test_a_selector_takes_pods_by_their_labels(selector: dict[str, Any], taken: bool) -> None:
    [pod, _] = Release([_object("JobSet", PLACES["JobSet"][0])], namespace="a").pods()
    assert selects(selector, pod) is taken
