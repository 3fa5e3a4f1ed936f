"""The MPI operator: workers, then the launcher, and what Kueue takes for ready."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.mpi_jobs import MpiJob, MpiJobController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from tests.unit.rehearsal.worlds import end, pod_template, world


class Case:
    """An MPIJob with a launcher and two workers."""

    def __init__(self, folder: Path, policy: str = "WaitForWorkersReady") -> None:
        self.world: World = world(folder, nodes=3)
        self._jobs = JobController(self.world)
        self._mpi_jobs = MpiJobController(self.world, self._jobs)
        replicas = {
            "Launcher": {"replicas": 1, "restartPolicy": "Never", "template": pod_template()},
            "Worker": {"replicas": 2, "restartPolicy": "OnFailure", "template": pod_template()},
        }
        run_policy = {"cleanPodPolicy": "Running", "backoffLimit": 0}
        spec = {
            "mpiReplicaSpecs": replicas,
            "runPolicy": run_policy,
            "launcherCreationPolicy": policy,
            "sshAuthMountPath": "/keys",
        }
        self.mpi_job = MpiJob(name="train", namespace="default", body={"spec": spec})
        self._mpi_jobs.create(self.mpi_job)
        self.reconcile()

    def reconcile(self) -> None:
        for _ in range(4):
            self._mpi_jobs.reconcile()
            self._jobs.reconcile()

    @property
    def names(self) -> list[str]:
        return [pod.host_name for pod in self.world.live_pods() if pod.is_active]

    def run(self, *pods: Pod) -> None:
        for pod in pods:
            pod.phase, pod.node = Phase.RUNNING, self.world.nodes[0]
            for container in pod.containers:
                container.is_ready = True
        self.reconcile()


def test_the_launcher_waits_until_all_workers_are_ready(tmp_path: Path) -> None:
    case = Case(tmp_path)
    first, second = case.world.live_pods()
    assert case.names == ["train-worker-0", "train-worker-1"]
    case.run(first)
    assert len(case.names) == 2
    case.run(second)
    assert case.names == ["train-worker-0", "train-worker-1", "train-launcher"]


def test_the_launcher_starts_with_the_workers_by_default(tmp_path: Path) -> None:
    assert "train-launcher" in Case(tmp_path, policy="AtStartup").names


def test_the_launcher_gets_the_list_of_hosts_and_all_get_the_keys(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.world.live_pods())
    hosts = case.world.config_maps["train-config"]["hostfile"]
    assert hosts.splitlines() == [f"train-worker-{index}.train.default.svc slots=1" for index in range(2)]
    mounts = [[each["mountPath"] for each in pod.containers[0].body["volumeMounts"]] for pod in case.world.live_pods()]
    assert mounts == [["/keys"], ["/keys"], ["/keys", "/etc/mpi"]]


def test_a_name_of_a_worker_resolves_only_while_it_is_ready(tmp_path: Path) -> None:
    case = Case(tmp_path)
    worker = case.world.live_pods()[0]
    worker.address = "127.1.0.1"
    assert not worker.has_name
    case.run(worker)
    assert worker.has_name


def test_kueue_takes_it_for_ready_when_launcher_and_workers_run_and_stays_with_that(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.world.live_pods())
    assert not case.mpi_job.has_ready_pods([])
    case.run(*case.world.live_pods())
    assert case.mpi_job.has_ready_pods([])
    case.world.live_pods()[0].containers[0].is_ready = False
    case.reconcile()
    assert case.mpi_job.has_ready_pods([])


def test_a_deleted_worker_comes_back_under_its_name_and_a_failed_one_stays(tmp_path: Path) -> None:
    case = Case(tmp_path)
    first, second = case.world.live_pods()
    case.world.forget_pod(first)
    end(second, 1)
    case.reconcile()
    assert case.names == ["train-worker-0"]
    assert case.world.live_pods()[-1].uid != first.uid


def test_workers_end_with_the_launcher_whose_exit_decides(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.world.live_pods())
    end(case.world.live_pods()[-1], 1)
    case.reconcile()
    assert case.mpi_job.outcome == "Failed"
    assert case.mpi_job.why.startswith("BackoffLimitExceeded")
    assert all(pod.deletes_at is not None for pod in case.world.live_pods() if not pod.is_terminal)


def test_a_suspended_mpijob_has_no_workers_and_is_not_ready(tmp_path: Path) -> None:
    case = Case(tmp_path)
    case.run(*case.world.live_pods())
    case.run(*case.world.live_pods())
    case.mpi_job.is_suspended = True
    case.reconcile()
    assert case.names == []
    assert not case.mpi_job.has_ready_pods([])
