"""PodDisruptionBudgets that let a drain evict none of the pods that they select."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.disruption_budgets import disruption_budget_findings

LABELS = {"app": "llm"}
SELECTOR = {"matchLabels": LABELS}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "server"}]}}
LEADER_WORKER_SET = {
    "kind": "LeaderWorkerSet",
    "metadata": {"name": "llm"},
    "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 3, "workerTemplate": TEMPLATE}},
}


def workload(kind: str, name: str = "llm", /, **spec: Any) -> dict[str, Any]:
    return {"kind": kind, "metadata": {"name": name}, "spec": {"template": TEMPLATE, **spec}}


def bare_pod(name: str = "shell") -> dict[str, Any]:
    return {"kind": "Pod", "metadata": {"name": name, "labels": LABELS}, "spec": TEMPLATE["spec"]}


def job_set(name: str = "train", parallelism: int = 4) -> dict[str, Any]:
    job = {"template": {"spec": {"template": TEMPLATE, "parallelism": parallelism}}}
    return {"kind": "JobSet", "metadata": {"name": name}, "spec": {"replicatedJobs": [job]}}


def budget(name: str = "llm", /, **spec: Any) -> dict[str, Any]:
    metadata = {"name": name}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata,
        "spec": {"selector": SELECTOR, **spec},
    }


def found(*objects: dict[str, Any], **spec: Any) -> list[Finding]:
    """The findings about these objects, and a budget with this spec in another file."""
    return list(disruption_budget_findings([("server.yaml", objects), ("budget.yaml", [budget(**spec)])]))


def deployment(replicas: Any) -> dict[str, Any]:
    return workload("Deployment", replicas=replicas)


@pytest.mark.parametrize(
    ("replicas", "spec"),
    [
        (1, {"minAvailable": 1}),
        (None, {"minAvailable": 1}),
        (3, {"minAvailable": 3}),
        (3, {"minAvailable": 5}),
        (4, {"minAvailable": "100%"}),
        (3, {"minAvailable": "67%"}),
        (4, {"maxUnavailable": 0}),
        (4, {"maxUnavailable": "0%"}),
        (2, {}),
        (2, {"maxUnavailable": 0, "selector": {}}),
    ],
)
@pytest.mark.hints("W9313")
def test_a_budget_without_room_is_a_warning_and_max_unavailable_1_ends_it(replicas: Any, spec: dict[str, Any]) -> None:
    (finding,) = found(deployment(replicas), **spec)
    assert (finding.id, finding.location.file, finding.location.path) == (
        "W9313", "budget.yaml", "PodDisruptionBudget/llm",
    )  # fmt: skip
    assert "PodEvictionFailure" in finding.message
    assert "maxUnavailable: 1" in finding.hint
    assert not found(deployment(replicas), maxUnavailable=1)


@pytest.mark.parametrize(
    ("replicas", "spec"),
    [
        (2, {"minAvailable": 1}),
        (3, {"minAvailable": "60%"}),
        (1, {"maxUnavailable": "1%"}),
        (0, {"minAvailable": 1}),
        (1, {"minAvailable": 1, "selector": {"matchLabels": {"app": "other"}}}),
        (1, {"minAvailable": 1, "selector": None}),
    ],
)
def test_a_budget_with_room_or_of_other_pods_is_no_finding(replicas: int, spec: dict[str, Any]) -> None:
    assert not found(deployment(replicas), **spec)


@pytest.mark.parametrize("spec", [{"minAvailable": 3}, {"minAvailable": "67%"}])
def test_more_replicas_are_in_the_hint_only_where_they_help(spec: dict[str, Any]) -> None:
    assert "or add replicas" in found(deployment(3), **spec)[0].hint
    assert "replicas" not in found(deployment(3), maxUnavailable=0)[0].hint
    assert "replicas" not in found(deployment(3), minAvailable="100%")[0].hint


@pytest.mark.parametrize(
    ("owner", "pods"),
    [
        (workload("StatefulSet", replicas=3), 3),
        (workload("ReplicaSet", replicas=3), 3),
        (workload("ReplicationController", replicas=3), 3),
        (LEADER_WORKER_SET, 6),
    ],
)  # fmt: skip
def test_controllers_with_a_scale_take_every_kind_of_limit(owner: dict[str, Any], pods: int) -> None:
    for allowed in ({"maxUnavailable": 1}, {"maxUnavailable": "1%"}, {"minAvailable": "50%"}, {"minAvailable": 2}):
        assert not found(owner, **allowed)
    assert f"{pods} pods" in found(owner, minAvailable=pods)[0].message


OTHER_OWNERS = [
    workload("Job", parallelism=4),
    workload("CronJob", jobTemplate={"spec": {"template": TEMPLATE, "parallelism": 4}}),
    job_set(),
    {"kind": "MPIJob", "metadata": {"name": "llm"},
     "spec": {"mpiReplicaSpecs": {"Worker": {"replicas": 4, "template": TEMPLATE}}}},
]  # fmt: skip


@pytest.mark.parametrize("owner", OTHER_OWNERS, ids=lambda owner: owner["kind"])
@pytest.mark.parametrize("spec", [{"maxUnavailable": 1}, {"maxUnavailable": "50%"}, {"minAvailable": "50%"}])
@pytest.mark.hints("W9313")
def test_pods_of_jobs_need_an_integer_min_available(owner: dict[str, Any], spec: dict[str, Any]) -> None:
    (finding,) = found(owner, **spec)
    assert "SyncFailed" in finding.message
    assert "set minAvailable: 3 in place of it" in finding.hint
    assert "maxUnavailable: 1" not in finding.hint
    assert not found(owner, minAvailable=3)
    assert "set minAvailable: 3 in place of it" in found(owner, minAvailable=4)[0].hint


def test_bare_pods_count_for_an_integer_min_available_only() -> None:
    pods = [bare_pod("a"), bare_pod("b")]
    assert "set minAvailable: 1" in found(*pods, maxUnavailable=1)[0].hint
    assert found(*pods, minAvailable="50%")
    assert not found(*pods, minAvailable=1)
    assert not found(deployment(2), bare_pod(), maxUnavailable=1)


@pytest.mark.parametrize("spec", [{"maxUnavailable": 1}, {"minAvailable": 1}, {}])
def test_the_hint_for_one_pod_without_a_scale_deletes_the_budget(spec: dict[str, Any]) -> None:
    for owner in (bare_pod(), workload("Job")):
        (finding,) = found(owner, **spec)
        assert finding.hint.startswith("delete PodDisruptionBudget default/llm")


def test_a_job_next_to_a_deployment_blocks_the_pods_of_both() -> None:
    (finding,) = found(deployment(2), workload("Job", "train", parallelism=2), maxUnavailable=1)
    assert "Deployment llm and Job train" in finding.message
    assert "set minAvailable: 3" in finding.hint
    assert not found(deployment(2), workload("Job", "train", parallelism=2), minAvailable=3)


@pytest.mark.parametrize("spec", [{"maxUnavailable": 0}, {"maxUnavailable": 1}, {"minAvailable": "100%"}])
def test_a_daemon_set_does_not_silence_the_budget_of_a_deployment(spec: dict[str, Any]) -> None:
    (finding,) = found(deployment(4), workload("DaemonSet", "agent"), **spec)
    assert "DaemonSet agent" in finding.message
    assert "select no pods of DaemonSet agent" in finding.hint
    assert not found(deployment(4), workload("DaemonSet", "agent"), minAvailable=4)


def test_a_budget_of_daemon_sets_only_is_no_finding() -> None:
    assert not found(workload("DaemonSet"), maxUnavailable=0)


@pytest.mark.parametrize(
    ("kind", "key", "minimum", "pods"),
    [
        ("HorizontalPodAutoscaler", "minReplicas", 2, "2 pods"),
        ("HorizontalPodAutoscaler", "minReplicas", None, "1 pod"),
        ("ScaledObject", "minReplicaCount", 0, "1 pod"),
    ],
)
def test_an_autoscaler_decides_the_number_of_pods(kind: str, key: str, minimum: int | None, pods: str) -> None:
    target = {"kind": "Deployment", "name": "llm"}
    scaler = {"kind": kind, "metadata": {"name": "scaler"}, "spec": {"scaleTargetRef": target, key: minimum}}
    (finding,) = found(deployment(8), scaler, minAvailable=2)
    assert f"has {pods}" in finding.message
    assert f"raise {key} of {kind} scaler" in finding.hint
    assert not found(deployment(1), {**scaler, "spec": {"scaleTargetRef": target, key: 3}}, minAvailable=2)


def test_the_minimum_of_an_autoscaler_counts_groups_of_a_leader_worker_set() -> None:
    target = {"kind": "LeaderWorkerSet", "name": "llm"}
    scaler = {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "llm"}, "spec": {"scaleTargetRef": target}}
    assert not found(LEADER_WORKER_SET, scaler, minAvailable=2)
    assert "has 3 pods" in found(LEADER_WORKER_SET, scaler, minAvailable=3)[0].message


@pytest.mark.parametrize("second", [{"selector": SELECTOR}, {"selector": {}}])
@pytest.mark.hints("W9313")
def test_pods_under_two_budgets_cannot_be_evicted(second: dict[str, Any]) -> None:
    objects = [deployment(3), budget("first", maxUnavailable=1)]
    (finding,) = found(*objects, maxUnavailable=1, **second)
    assert finding.location.file == "budget.yaml"
    assert "default/first" in finding.message
    assert "500" in finding.message
    assert not found(*objects, maxUnavailable=1, selector={"matchLabels": {"app": "other"}})


def test_budgets_of_two_job_sets_do_not_overlap() -> None:
    selectors = [{"matchLabels": {"jobset.sigs.k8s.io/jobset-name": name}} for name in ("a", "b")]
    first = budget("a", minAvailable=1, selector=selectors[0])
    assert not found(job_set("a"), job_set("b"), first, minAvailable=1, selector=selectors[1])


@pytest.mark.parametrize("given", [-1, "-1%", "abc%", "101%", "1", "", [], {}, True, 1.5])
@pytest.mark.parametrize("key", ["minAvailable", "maxUnavailable"])
def test_a_limit_that_the_api_server_rejects_is_left_to_e8836(key: str, given: Any) -> None:
    assert not found(deployment(1), **{key: given})


def test_unreadable_objects_do_not_stop_the_check() -> None:
    assert not found(deployment("two"), minAvailable=1)
    selectors: list[Any] = [[], "app=llm", 3]
    for selector in selectors:
        assert not found(deployment(1), minAvailable=1, selector=selector)
    assert not list(disruption_budget_findings([("a.yaml", [{**budget(), "spec": []}, deployment(1)])]))
