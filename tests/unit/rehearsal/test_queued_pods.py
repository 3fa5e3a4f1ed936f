"""Pods of a Deployment in a queue, as Kueue's integration of pods has it."""

from __future__ import annotations

from pathlib import Path

from local_kubernetes.model.names import QUEUE_NAME_LABEL
from neuron_cluster.rehearsal.cluster import scheduler
from neuron_cluster.rehearsal.cluster.deployments import Deployment, DeploymentController
from neuron_cluster.rehearsal.cluster.job import Job
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.queued_pods import QueuedPods
from neuron_cluster.rehearsal.cluster.queues import Queue, QueueController
from tests.unit.rehearsal.worlds import NEURON, pass_seconds, pod_template, world

QUEUE = Queue(name="serving", quota={NEURON: 16}, pods_ready=1800, recovery=600, first_backoff=60, longest_backoff=100)


class Case:
    """A Deployment whose pods take a node each, in a queue with the quota of one node; there are two nodes."""

    def __init__(self, folder: Path, replicas: int = 1, queue: str = "serving") -> None:
        self.world = world(folder)
        self.queue = QueueController(self.world, QUEUE)
        self._queued = QueuedPods(self.world, self.queue)
        self._deployments = DeploymentController(self.world)
        labels = {QUEUE_NAME_LABEL: queue} if queue else {}
        spec = {"replicas": replicas, "template": pod_template(restartPolicy="Always")}
        body = {"metadata": {"labels": labels}, "spec": spec}
        self._deployments.create(Deployment(name="vllm", namespace="default", body=body))
        self.reconcile()

    def reconcile(self) -> None:
        for _ in range(6):
            self.queue.reconcile()
            self._deployments.reconcile()
            self._queued.reconcile()
            scheduler.schedule(self.world)
            for pod in self.world.live_pods():
                if pod.deletes_at is not None:
                    self.world.forget_pod(pod)

    @property
    def placed(self) -> list[Pod]:
        return [pod for pod in self.world.live_pods() if pod.node is not None]

    def make_ready(self) -> None:
        for pod in self.placed:
            pod.phase = Phase.RUNNING
            for container in pod.containers:
                container.is_ready = True
        self.reconcile()


def test_a_pod_beyond_the_quota_is_not_placed(tmp_path: Path) -> None:
    case = Case(tmp_path, replicas=2)
    assert (len(case.world.live_pods()), len(case.placed)) == (2, 1)
    case.world.forget_pod(case.placed[0])
    case.reconcile()
    assert len(case.placed) == 1


def test_without_a_queue_all_pods_are_placed(tmp_path: Path) -> None:
    assert len(Case(tmp_path, replicas=2, queue="").placed) == 2


def test_a_preempted_pod_is_deleted_and_another_one_waits_for_the_quota(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.make_ready()
    (first,) = case.placed
    case.queue.preempt(1200)
    case.reconcile()
    assert first.is_gone
    assert (len(case.world.live_pods()), case.placed) == (1, [])
    pass_seconds(case.world, 1200)
    case.reconcile()
    assert len(case.placed) == 1


def test_a_stopped_queue_deletes_its_pods_and_admits_none_until_it_is_open(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.make_ready()
    case.queue.stop(1200)
    case.reconcile()
    assert case.placed == []
    pass_seconds(case.world, 1200)
    case.reconcile()
    assert len(case.placed) == 1


def test_a_pod_that_is_not_ready_in_time_is_deleted_without_a_back_off(tmp_path: Path) -> None:
    case = Case(tmp_path)
    (first,) = case.placed
    pass_seconds(case.world, 1801)
    case.reconcile()
    (second,) = case.placed
    assert first.is_gone
    assert second is not first


def test_a_pod_of_a_job_in_the_queue_is_counted_with_the_job(tmp_path: Path) -> None:
    """Task governance of HyperPod has the label on pods too; Kueue manages no pod of a job that it manages."""
    made = world(tmp_path)
    queue = QueueController(made, QUEUE)
    queued, jobs = QueuedPods(made, queue), JobController(made)
    label = {QUEUE_NAME_LABEL: "serving"}
    template = {**pod_template(), "metadata": {"labels": label}}
    spec = {"completionMode": "Indexed", "completions": 1, "parallelism": 1, "template": template}
    job = Job(name="train", uid="train/0", namespace="default", spec=spec, labels=label)
    jobs.create(job)
    queue.watch(job)
    for _ in range(3):
        queue.reconcile()
        jobs.reconcile()
        queued.reconcile()
    (pod,) = made.live_pods()
    assert QUEUE_NAME_LABEL in pod.labels
    assert [each.job for each in queue.workloads] == [job]
    assert not pod.is_gated
