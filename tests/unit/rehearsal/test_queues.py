"""Kueue as its documentation has it: quota, the wait for pods, back-off and preemption."""

from __future__ import annotations

from dataclasses import replace as replace_fields
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.names import QUEUE_NAME_LABEL
from neuron_cluster.rehearsal.cluster.job import Job
from neuron_cluster.rehearsal.cluster.job_sets import JobSet, JobSetController
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.queues import Queue, QueueController
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import NEURON, end, pass_seconds, pod_template, world

QUEUE = Queue(name="training", quota={NEURON: 16}, pods_ready=1800, recovery=600, first_backoff=60, longest_backoff=100)


class Case:
    """JobSets of one pod that takes all devices of a node, in a queue with the quota of one node."""

    def __init__(self, folder: Path, jobs: int = 1, queue: str = "training") -> None:
        self.world: World = world(folder)
        self._jobs = JobController(self.world)
        self._job_sets = JobSetController(self.world, self._jobs)
        self.queue = QueueController(self.world, QUEUE)
        self.job_sets = [self._job_set(f"train-{number}", queue) for number in range(jobs)]
        for job_set in self.job_sets:
            self._job_sets.create(job_set)
            self.queue.watch(job_set)
        self.reconcile()

    def _job_set(self, name: str, queue: str) -> JobSet:
        job = {"completions": 1, "parallelism": 1, "backoffLimit": 0, "template": pod_template()}
        body = {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "metadata": {"name": name, "labels": {QUEUE_NAME_LABEL: queue}},
            "spec": {"replicatedJobs": [{"name": "node", "replicas": 1, "template": {"spec": job}}]},
        }
        return JobSet(name=name, namespace="default", body=body)

    def reconcile(self) -> None:
        for _ in range(8):
            self.queue.reconcile()
            self._job_sets.reconcile()
            self._jobs.reconcile()

    def pass_seconds(self, seconds: float) -> None:
        pass_seconds(self.world, seconds)
        self.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return [pod for pod in self.world.live_pods() if pod.is_active]

    def make_ready(self) -> None:
        for pod in self.pods:
            pod.phase = Phase.RUNNING
            for container in pod.containers:
                container.is_ready = True
        self.reconcile()

    def reasons(self) -> list[str]:
        return [event.reason for event in self.world.timeline.events if event.source == "kueue"]


def test_the_second_job_waits_until_the_first_has_ended(tmp_path: Path) -> None:
    case = Case(tmp_path, jobs=2)
    assert [pod.host_name for pod in case.pods] == ["train-0-node-0-0"]
    assert case.queue.workloads[1].message == f"insufficient unused quota for {NEURON} in training"
    end(case.pods[0], 0)
    case.reconcile()
    assert [pod.host_name for pod in case.pods] == ["train-1-node-0-0"]


def test_a_job_of_another_queue_starts_at_once(tmp_path: Path) -> None:
    assert len(Case(tmp_path, jobs=2, queue="").pods) == 2


def test_pods_that_are_not_ready_in_time_are_evicted_and_return_after_the_back_off(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.pass_seconds(1790)
    assert len(case.pods) == 1
    case.pass_seconds(20)
    assert case.pods == []
    case.pass_seconds(70)
    assert len(case.pods) == 1
    assert case.reasons() == ["Admitted", "Evicted", "Admitted"]


def test_ready_pods_stay_and_get_the_time_to_recover_when_one_is_lost(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.make_ready()
    case.pass_seconds(4000)
    assert case.reasons() == ["Admitted"]
    case.pods[0].containers[0].is_ready = False
    case.reconcile()
    case.pass_seconds(590)
    assert case.reasons() == ["Admitted"]
    case.pass_seconds(20)
    assert case.reasons() == ["Admitted", "Evicted"]


def test_back_off_doubles_up_to_its_maximum(tmp_path: Path) -> None:
    case = Case(tmp_path)
    waits = []
    for _ in range(3):
        case.pass_seconds(1810)
        waits.append(case.queue.workloads[0].not_before - case.world.clock.now())
        case.pass_seconds(110)
    assert [round(wait, -1) for wait in waits] == [60, 100, 100]


def test_a_preempted_job_gives_its_pods_back_and_returns_with_the_quota(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.make_ready()
    case.queue.preempt(1200)
    case.reconcile()
    assert case.pods == []
    case.pass_seconds(1100)
    assert case.pods == []
    case.pass_seconds(200)
    assert len(case.pods) == 1
    assert case.job_sets[0].counted == 0


def test_only_a_job_that_requests_a_counted_resource_uses_the_quota(tmp_path: Path) -> None:
    case = Case(tmp_path)
    assert case.queue.uses_quota
    (workload,) = case.queue.workloads
    case.queue.workloads = [replace_fields(workload, requests={"cpu": 1000})]
    assert not case.queue.uses_quota


def test_a_stopped_queue_evicts_its_job_and_admits_it_when_it_is_open_again(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.make_ready()
    case.queue.stop(1200)
    case.reconcile()
    assert case.pods == []
    case.pass_seconds(1100)
    assert case.pods == []
    assert case.queue.workloads[0].message == "ClusterQueue training is stopped"
    case.pass_seconds(200)
    assert len(case.pods) == 1
    assert case.job_sets[0].counted == 0
    assert case.reasons() == ["Admitted", "Evicted", "Pending", "Active", "Admitted"]


def test_a_job_by_itself_waits_for_quota_and_comes_back_after_the_back_off(tmp_path: Path) -> None:
    made = world(tmp_path)
    jobs, queue = JobController(made), QueueController(made, QUEUE)
    spec = {"completions": 2, "parallelism": 1, "completionMode": "Indexed", "template": pod_template()}
    job = Job(name="warm", uid="warm", namespace="default", spec=spec, labels={QUEUE_NAME_LABEL: "training"})
    jobs.create(job)
    queue.watch(job)

    def look(seconds: float) -> list[int | None]:
        pass_seconds(made, seconds)
        for _ in range(3):
            queue.reconcile()
            jobs.reconcile()
        return [pod.index for pod in made.live_pods() if pod.is_active]

    assert look(0) == [0]
    assert look(1810) == []
    assert look(70) == [0]
    end(made.pods[-1], 0)
    assert look(0) == [1]
    assert look(1810) == [1], "one pod of one at once has succeeded: Kueue takes the Job for ready"
    end(made.pods[-1], 0)
    look(0)
    assert job.outcome == "Completed"


def _held_by_a_topology(folder: Path, body: dict[str, Any]) -> str:
    """Why Kueue admits no job of this body, in a queue whose nodes all have a network topology."""
    made = world(folder)
    jobs, queue = JobController(made), QueueController(made, replace(QUEUE, has_topology=True))
    job = Job(name="warm", uid="warm", namespace="default", spec=body, labels={QUEUE_NAME_LABEL: "training"})
    jobs.create(job)
    queue.watch(job)
    queue.reconcile()
    return queue.workloads[0].message


def test_a_queue_of_nodes_with_a_topology_admits_pods_with_devices_alone(tmp_path: Path) -> None:
    assert _held_by_a_topology(tmp_path, {"template": pod_template()}) == ""
    on_processors = pod_template(containers=[{"name": "compiler", "image": "warm:1"}])
    held = _held_by_a_topology(tmp_path, {"template": on_processors})
    assert held == "no TAS flavor assigned to Job default/warm: it requests no device"


def test_a_job_beyond_the_whole_quota_is_never_admitted_and_names_both_amounts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(QUEUE, quota={NEURON: 15}, of_team="research-training")
    monkeypatch.setattr("tests.unit.rehearsal.test_queues.QUEUE", small)
    case = Case(tmp_path)
    case.pass_seconds(3600)
    assert case.pods == []
    (event,) = [each for each in case.world.timeline.events if each.reason == "Pending"]
    assert event.message == (
        f"insufficient quota for {NEURON} in research-training, current podset request (16) > maximum capacity (15)"
    )
