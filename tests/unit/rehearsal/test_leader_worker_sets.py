"""Groups of a LeaderWorkerSet: names, variables, when they start, and that they start again together."""

from __future__ import annotations

from pathlib import Path

from local_kubernetes.model.names import QUEUE_NAME_LABEL
from neuron_cluster.rehearsal.cluster.container_variables import variables_of
from neuron_cluster.rehearsal.cluster.leader_worker_sets import LeaderWorkerSetController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.queues import Queue, QueueController
from tests.unit.rehearsal.worlds import NEURON, pass_seconds, pod_template, world


class Case:
    """Two groups of two pods, each of which takes a whole node."""

    def __init__(self, folder: Path, quota: int = 64, **spec: object) -> None:
        self.world = world(folder, nodes=4)
        self.sets = LeaderWorkerSetController(self.world)
        self.queue = QueueController(
            self.world,
            Queue(
                name="serve", quota={NEURON: quota}, pods_ready=900, recovery=600, first_backoff=60, longest_backoff=60
            ),
        )
        template = {"size": 2, "restartPolicy": "RecreateGroupOnPodRestart", "workerTemplate": pod_template()}
        body = {
            "metadata": {"name": "vllm", "labels": {QUEUE_NAME_LABEL: "serve"}},
            "spec": {"replicas": 2, "leaderWorkerTemplate": template, **spec},
        }
        for group in self.sets.create(body, "default"):
            self.queue.watch(group)
        self.reconcile()

    def reconcile(self) -> None:
        for _ in range(4):
            self.queue.reconcile()
            self.sets.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return [pod for pod in self.world.live_pods() if pod.is_active]

    def run(self, *pods: Pod) -> None:
        for pod in pods:
            pod.phase, pod.node = Phase.RUNNING, self.world.nodes[0]
            for container in pod.containers:
                container.is_ready = True
        self.reconcile()

    def reasons(self, source: str) -> list[str]:
        return [event.reason for event in self.world.timeline.events if event.source == source]


def test_leaders_and_workers_have_the_names_and_variables_of_their_group(tmp_path: Path) -> None:
    case = Case(tmp_path)
    assert [pod.host_name for pod in case.pods] == ["vllm-0", "vllm-0-1", "vllm-1", "vllm-1-1"]
    variables = variables_of(case.pods[3], case.pods[3].containers[0], case.world)
    assert variables == {
        "LWS_LEADER_ADDRESS": "vllm-1.vllm.default",
        "LWS_GROUP_SIZE": "2",
        "LWS_WORKER_INDEX": "1",
    }


def test_workers_wait_for_a_leader_that_must_be_ready(tmp_path: Path) -> None:
    case = Case(tmp_path, startupPolicy="LeaderReady")
    assert [pod.host_name for pod in case.pods] == ["vllm-0", "vllm-1"]
    case.run(case.pods[0])
    assert [pod.host_name for pod in case.pods] == ["vllm-0", "vllm-1", "vllm-0-1"]


def test_a_restart_of_one_container_recreates_its_group_once_all_of_it_is_gone(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.pods)
    first, worker, *others = case.pods
    worker.containers[0].restarts = 1
    case.reconcile()
    assert case.pods == others
    case.world.forget_pod(worker)
    case.reconcile()
    assert case.pods == others
    case.world.forget_pod(first)
    case.reconcile()
    assert [pod.host_name for pod in case.pods] == ["vllm-1", "vllm-1-1", "vllm-0", "vllm-0-1"]
    assert case.reasons("lws") == ["RecreateGroup"]


def test_a_worker_that_is_gone_with_its_node_takes_its_group_with_it(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.pods)
    leader, worker, *others = case.pods
    case.world.forget_pod(worker)
    case.reconcile()
    assert leader.deletes_at is not None
    assert case.pods == others


def test_each_group_is_a_workload_of_its_own_in_the_queue(tmp_path: Path) -> None:
    case = Case(tmp_path, quota=32)
    assert [pod.host_name for pod in case.pods] == ["vllm-0", "vllm-0-1"]
    case.run(case.pods[0])
    pass_seconds(case.world, 901)
    case.reconcile()
    assert "Evicted" in case.reasons("kueue")
    assert [workload.admitted for workload in case.queue.workloads] == [False, True]


def test_a_group_is_ready_when_all_of_its_pods_are(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.pods[:3])
    assert not case.sets.are_ready()
    case.run(*case.pods)
    assert case.sets.are_ready()
