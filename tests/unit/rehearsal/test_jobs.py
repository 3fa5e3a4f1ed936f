"""The Job controller as Kubernetes documents it: pod failure policies, and when a Job has failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.rehearsal.cluster.job import Job
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import end, pass_seconds, pod_template, world

RULES = [
    {"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
    {"action": "Ignore", "onExitCodes": {"containerName": "trainer", "operator": "In", "values": [42]}},
    {"action": "FailJob", "onExitCodes": {"containerName": "trainer", "operator": "In", "values": [75]}},
]


class Case:
    """One Job of two indexes."""

    def __init__(self, folder: Path, **spec: object) -> None:
        self.world: World = world(folder)
        self.jobs = JobController(self.world)
        template = pod_template()
        full = {"completionMode": "Indexed", "completions": 2, "parallelism": 2, "template": template, **spec}
        self.job = Job(name="train", uid="train/0", namespace="default", spec=full, labels={})
        self.jobs.create(self.job)
        self.jobs.reconcile()

    def pass_seconds(self, seconds: float) -> None:
        self.jobs.reconcile()
        pass_seconds(self.world, seconds)
        self.jobs.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return self.world.pods_of("train/0")

    def active(self) -> list[int | None]:
        return [pod.index for pod in self.pods if pod.is_active]


def test_every_index_gets_a_pod_with_its_host_name(tmp_path: Path) -> None:
    pods = Case(tmp_path).pods
    assert [(pod.index, pod.host_name) for pod in pods] == [(0, "train-0"), (1, "train-1")]


def test_a_job_completes_when_every_index_has_succeeded(tmp_path: Path) -> None:
    case = Case(tmp_path)
    for pod in case.pods:
        assert not case.job.is_complete
        end(pod, 0)
        case.jobs.reconcile()
    assert case.job.is_complete


@pytest.mark.parametrize(("exit_code", "reason"), [(75, "PodFailurePolicy"), (1, "BackoffLimitExceeded")])
def test_a_failed_pod_fails_the_job_once_all_others_have_ended(tmp_path: Path, exit_code: int, reason: str) -> None:
    case = Case(tmp_path, backoffLimit=0, podFailurePolicy={"rules": RULES})
    first, second = case.pods
    second.node = case.world.nodes[0]  # its kubelet must end it first
    end(first, exit_code)
    case.jobs.reconcile()
    assert case.job.failure == reason
    assert second.deletes_at is not None
    assert not case.job.has_failed
    end(second, 75)
    case.jobs.reconcile()
    assert case.job.has_failed


def test_an_ignored_failure_is_replaced_and_does_not_count(tmp_path: Path) -> None:
    case = Case(tmp_path, backoffLimit=0, podFailurePolicy={"rules": RULES})
    end(case.pods[0], 42)
    case.jobs.reconcile()
    assert case.job.failure is None
    case.pass_seconds(10)
    assert sorted(pod.index for pod in case.pods if pod.is_active) == [0, 1]


def test_failures_count_up_to_the_backoff_limit(tmp_path: Path) -> None:
    case = Case(tmp_path, backoffLimit=1)
    for expected in (None, "BackoffLimitExceeded"):
        end(next(pod for pod in case.pods if pod.index == 0 and pod.is_active), 1)
        case.pass_seconds(10)
        assert case.job.failure == expected


def test_a_disrupted_pod_matches_its_condition_whatever_its_exit_code(tmp_path: Path) -> None:
    case = Case(tmp_path, backoffLimit=0, podFailurePolicy={"rules": RULES})
    case.pods[0].disruption = "EvictionByEvictionAPI"
    end(case.pods[0], 1)
    case.jobs.reconcile()
    assert case.job.failure == "PodFailurePolicy"


def test_a_pod_that_garbage_collection_deleted_is_counted_too(tmp_path: Path) -> None:
    case = Case(tmp_path, backoffLimit=0)
    lost = case.pods[0]
    end(lost, 1)
    case.world.forget_pod(lost)
    case.jobs.reconcile()
    assert case.job.failure == "BackoffLimitExceeded"


def test_a_job_is_active_no_longer_than_its_deadline(tmp_path: Path) -> None:
    case = Case(tmp_path, activeDeadlineSeconds=600)
    pass_seconds(case.world, 599)
    case.jobs.reconcile()
    assert case.job.failure is None
    pass_seconds(case.world, 2)
    case.jobs.reconcile()
    assert case.job.failure == "DeadlineExceeded"


def test_a_failed_pod_is_followed_by_another_after_a_back_off_that_doubles(tmp_path: Path) -> None:
    case = Case(tmp_path, completions=1, parallelism=1)
    for seconds in (10, 20, 40):
        end(case.pods[-1], 1)
        case.pass_seconds(seconds - 1)
        assert case.active() == []
        case.pass_seconds(2)
        assert case.active() == [0]


def test_an_index_that_fails_too_often_does_not_stop_the_others(tmp_path: Path) -> None:
    case = Case(tmp_path, parallelism=1, backoffLimitPerIndex=1)
    for index, exit_code in ((0, 1), (1, 0), (0, 1)):
        assert case.active() == [index], "another index runs during the back-off"
        end(case.pods[-1], exit_code)
        case.pass_seconds(0 if exit_code else 10)
    assert (case.job.has_failed, case.job.failure) == (True, "FailedIndexes")


def test_a_success_policy_ends_the_pods_that_still_run(tmp_path: Path) -> None:
    case = Case(tmp_path, successPolicy={"rules": [{"succeededIndexes": "0"}]})
    first, second = case.pods
    second.node = case.world.nodes[0]
    end(first, 0)
    case.pass_seconds(0)
    assert second.deletes_at is not None
    assert not case.job.is_complete
    end(second, 143)
    case.jobs.reconcile()
    assert (case.job.is_complete, case.job.outcome) == (True, "Completed")


def test_pods_of_a_job_without_indexes_have_their_names_as_host_names(tmp_path: Path) -> None:
    case = Case(tmp_path, completionMode="NonIndexed", completions=3, parallelism=2)
    assert [pod.host_name for pod in case.pods] == [pod.name for pod in case.pods]
    assert case.active() == [None, None]
    end(case.pods[0], 0)
    case.pass_seconds(0)
    assert len(case.active()) == 2
    for pod in case.pods:
        end(pod, 0)
    case.pass_seconds(0)
    assert case.job.is_complete


def test_a_resumed_job_gets_its_deadline_anew(tmp_path: Path) -> None:
    case = Case(tmp_path, activeDeadlineSeconds=600)
    case.pass_seconds(500)
    case.job.is_suspended = True
    case.pass_seconds(0)
    assert case.active() == []
    case.job.is_suspended = False
    case.pass_seconds(500)
    assert case.job.failure is None
    case.pass_seconds(200)
    assert case.job.failure == "DeadlineExceeded"
