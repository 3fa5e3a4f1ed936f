"""The JobSet controller: attempts, failure policies, and names."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.rehearsal.cluster.job_sets import JobSet, JobSetController
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import end, pod_template, world

POLICY = {
    "maxRestarts": 1,
    "rules": [
        {"name": "drained", "action": "RestartJobSetAndIgnoreMaxRestarts", "onJobFailureReasons": ["PodFailurePolicy"]},
        {"name": "late", "action": "FailJobSet", "onJobFailureReasons": ["DeadlineExceeded"]},
    ],
}
STOPPED = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [75]}}]}


class Case:
    """A JobSet of two Jobs with one pod each."""

    def __init__(self, folder: Path) -> None:
        self.world: World = world(folder)
        jobs = JobController(self.world)
        self._controllers = JobSetController(self.world, jobs), jobs
        job = {"completions": 1, "backoffLimit": 0, "podFailurePolicy": STOPPED, "template": pod_template()}
        spec = {
            "network": {"subdomain": "net"},
            "failurePolicy": POLICY,
            "replicatedJobs": [{"name": "node", "replicas": 2, "template": {"spec": job}}],
        }
        self.job_set = JobSet(name="llama", namespace="default", body={"spec": spec})
        self._controllers[0].create(self.job_set)
        self.reconcile()

    def reconcile(self) -> None:
        for _ in range(8):
            for controller in self._controllers:
                controller.reconcile()

    @property
    def pods(self) -> list[Pod]:
        return [pod for pod in self.world.live_pods() if pod.is_active]

    def end(self, pod: Pod, exit_code: int) -> None:
        end(pod, exit_code)
        self.reconcile()


def test_pods_are_found_by_host_name_and_subdomain(tmp_path: Path) -> None:
    found = [(pod.host_name, pod.spec["subdomain"]) for pod in Case(tmp_path).pods]
    assert found == [("llama-node-0-0", "net"), ("llama-node-1-0", "net")]
    indexes = [pod.labels["jobset.sigs.k8s.io/job-index"] for pod in Case(tmp_path).pods]
    assert indexes == ["0", "1"]


def test_a_stopped_job_restarts_all_and_does_not_count(tmp_path: Path) -> None:
    case = Case(tmp_path)
    for attempt in range(1, 4):
        before = {pod.name for pod in case.pods}
        case.end(case.pods[0], 75)
        assert case.job_set.outcome is None
        assert (case.job_set.attempt, case.job_set.counted) == (attempt, 0)
        assert not before & {pod.name for pod in case.pods}
        assert len(case.pods) == 2


def test_failures_count_up_to_the_limit(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.end(case.pods[0], 1)
    assert case.job_set.outcome is None
    case.end(case.pods[0], 1)
    assert case.job_set.outcome == "Failed"
    assert "maxRestarts 1" in case.job_set.why


def test_no_attempt_begins_before_the_last_pod_of_the_former_has_ended(tmp_path: Path) -> None:
    case = Case(tmp_path)
    first, second = case.pods
    second.node = case.world.nodes[0]
    case.end(first, 1)
    assert second.deletes_at is not None
    assert case.pods == []
    end(second, 0)
    case.world.forget_pod(second)
    case.reconcile()
    assert len(case.pods) == 2


def test_it_completes_with_its_last_job(tmp_path: Path) -> None:
    case = Case(tmp_path)
    for pod in case.pods:
        case.end(pod, 0)
    assert case.job_set.outcome == "Completed"
