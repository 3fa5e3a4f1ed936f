"""The MPI operator: worker pods, and a launcher Job once they are Ready.

Source: kubeflow/mpi-operator@cbe4f8a, pkg/controller/mpi_job_controller.go (v2beta1). A worker that has failed stays;
one that was deleted is made again under the same name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs, whole_number
from neuron_cluster.rehearsal.cluster.job import Job
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

LAUNCHER, WORKER = "launcher", "worker"
LABELS = "training.kubeflow.org/"
HOSTS_MOUNT = "/etc/mpi"
OPEN_MPI = MappingProxyType(
    {
        "OMPI_MCA_orte_keep_fqdn_hostnames": "true",
        "OMPI_MCA_orte_default_hostfile": f"{HOSTS_MOUNT}/hostfile",
        "OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10",
    }
)
KEY_FILES = MappingProxyType(
    {"id_rsa": "ssh-privatekey", "id_rsa.pub": "ssh-publickey", "authorized_keys": "ssh-publickey"}
)


@dataclass(eq=False, kw_only=True)
class MpiJob:
    """``is_running``: its condition Running, which stays until it is suspended."""

    name: str
    namespace: str
    body: Mapping[str, Any]
    is_suspended: bool = False
    launcher: Job | None = None
    is_running: bool = False
    outcome: str | None = None
    """``Completed`` or ``Failed``."""
    why: str = ""

    @property
    def uid(self) -> str:
        return f"uid-of-{self.name}"

    @property
    def workers(self) -> int:
        return whole_number(at(self.body, "spec", "mpiReplicaSpecs", "Worker", "replicas")) or 0

    @property
    def policy(self) -> Mapping[str, Any]:
        return at(self.body, "spec", "runPolicy") or {}

    @property
    def pod_owners(self) -> frozenset[str]:
        return frozenset({self.uid, *(() if self.launcher is None else (self.launcher.uid,))})

    def has_ready_pods(self, _pods: Collection[Pod]) -> bool:
        """Its condition Running: a worker that fails later is not waited for."""
        return self.is_running


class MpiJobController:
    """All MPIJobs of the rehearsal."""

    def __init__(self, world: World, jobs: JobController) -> None:
        self._world = world
        self._jobs = jobs
        self.mpi_jobs: list[MpiJob] = []

    def create(self, mpi_job: MpiJob) -> None:
        """With the ConfigMap of its hosts, and the Secret of its keys."""
        self.mpi_jobs.append(mpi_job)
        slots = whole_number(at(mpi_job.body, "spec", "slotsPerWorker")) or 1
        hosts = "".join(f"{self._host(mpi_job, index)} slots={slots}\n" for index in range(mpi_job.workers))
        self._world.config_maps[f"{mpi_job.name}-config"] = {"hostfile": hosts}
        number = f"{self._world.number():032x}"
        keys = {"ssh-privatekey": f"rehearsal-private-key {number}\n", "ssh-publickey": f"ssh-ed25519 {number}\n"}
        self._world.config_maps[f"{mpi_job.name}-ssh"] = keys

    def reconcile(self) -> None:
        for mpi_job in self.mpi_jobs:
            if mpi_job.outcome is None:
                self._reconcile(mpi_job)

    def _reconcile(self, mpi_job: MpiJob) -> None:
        launcher = mpi_job.launcher
        if launcher is not None:
            launcher.is_suspended = mpi_job.is_suspended
        if launcher is not None and launcher.is_finished:
            self._end(mpi_job, launcher)
        elif mpi_job.is_suspended:
            mpi_job.is_running = False
            self._delete_workers(mpi_job)
        else:
            self._keep_running(mpi_job)

    def _keep_running(self, mpi_job: MpiJob) -> None:
        workers = self._world.pods_of(mpi_job.uid)
        present = {pod.index for pod in workers}
        for index in sorted(set(range(mpi_job.workers)) - present):
            self._world.pods.append(self._worker(mpi_job, index))
        waits = at(mpi_job.body, "spec", "launcherCreationPolicy") == "WaitForWorkersReady"
        if mpi_job.launcher is None and (not waits or sum(pod.is_ready for pod in workers) == mpi_job.workers):
            mpi_job.launcher = self._launcher(mpi_job)
            self._jobs.create(mpi_job.launcher)
            self._world.timeline.record(Source.MPI_JOB, mpi_job.name, "LauncherCreated")
        if not mpi_job.is_running and self._all_run(mpi_job, workers):
            mpi_job.is_running = True
            self._world.timeline.record(Source.MPI_JOB, mpi_job.name, "Running")

    def _all_run(self, mpi_job: MpiJob, workers: list[Pod]) -> bool:
        launchers = self._world.pods_of(mpi_job.launcher.uid) if mpi_job.launcher is not None else []
        running = [pod for pod in workers if pod.phase is Phase.RUNNING]
        return any(pod.phase is Phase.RUNNING for pod in launchers) and len(running) == mpi_job.workers

    def _end(self, mpi_job: MpiJob, launcher: Job) -> None:
        mpi_job.outcome, mpi_job.why = launcher.outcome, launcher.why
        self._world.timeline.record(Source.MPI_JOB, mpi_job.name, str(launcher.outcome), launcher.why)
        if at(mpi_job.policy, "cleanPodPolicy") in ("Running", "All"):
            self._delete_workers(mpi_job)

    def _delete_workers(self, mpi_job: MpiJob) -> None:
        for pod in self._world.pods_of(mpi_job.uid):
            if pod.is_active:
                self._world.delete_pod(pod)

    def _host(self, mpi_job: MpiJob, index: int) -> str:
        return f"{mpi_job.name}-{WORKER}-{index}.{mpi_job.name}.{mpi_job.namespace}.svc"

    def _worker(self, mpi_job: MpiJob, index: int) -> Pod:
        template = _template(mpi_job, WORKER)
        name = f"{mpi_job.name}-{WORKER}-{index}"
        return Pod(
            name=name,
            uid=f"{name}-{self._world.number():05x}",
            namespace=mpi_job.namespace,
            info=self._world.info_of(name, mpi_job.namespace, template["spec"]),
            spec=template["spec"],
            labels={**template["labels"], f"{LABELS}replica-index": str(index)},
            annotations=template["annotations"],
            owner=mpi_job.uid,
            host_name=name,
            index=index,
            is_found_unready=False,
        )

    def _launcher(self, mpi_job: MpiJob) -> Job:
        template = _template(mpi_job, LAUNCHER)
        metadata = {"labels": template["labels"], "annotations": template["annotations"]}
        limits = {
            key: mpi_job.policy[key] for key in ("backoffLimit", "activeDeadlineSeconds") if key in mpi_job.policy
        }
        name = f"{mpi_job.name}-{LAUNCHER}"
        spec = {**template["spec"], "hostname": name}
        return Job(
            name=name,
            uid=f"uid-of-{name}",
            namespace=mpi_job.namespace,
            spec={**limits, "template": {"metadata": metadata, "spec": spec}},
            labels={"app": mpi_job.name},
        )


def _template(mpi_job: MpiJob, role: str) -> dict[str, Any]:
    """With what the operator adds: variables, keys and, for the launcher, the list of hosts."""
    replica = at(mpi_job.body, "spec", "mpiReplicaSpecs", role.capitalize())
    template = at(replica, "template") or {}
    spec = dict(at(template, "spec") or {})
    first, *others = items(spec.get("containers"))
    keys = {
        "secretName": f"{mpi_job.name}-ssh",
        "items": [{"key": key, "path": path} for path, key in KEY_FILES.items()],
    }
    variables, mounts = {"K_MPI_JOB_ROLE": role}, {"ssh-auth": str(at(mpi_job.body, "spec", "sshAuthMountPath"))}
    volumes: list[dict[str, Any]] = [{"name": "ssh-auth", "secret": keys}]
    if role == LAUNCHER:
        variables |= OPEN_MPI
        mounts["mpi-job-config"] = HOSTS_MOUNT
        volumes.append({"name": "mpi-job-config", "configMap": {"name": f"{mpi_job.name}-config"}})
    container = {
        **first,
        "env": [*items(at(first, "env")), *({"name": name, "value": value} for name, value in variables.items())],
        "volumeMounts": [
            *items(at(first, "volumeMounts")),
            *({"name": name, "mountPath": path} for name, path in mounts.items()),
        ],
    }
    added = {f"{LABELS}operator-name": "mpi-operator", f"{LABELS}job-name": mpi_job.name, f"{LABELS}job-role": role}
    return {
        "spec": {
            **spec,
            "restartPolicy": at(replica, "restartPolicy") or "Never",
            "subdomain": mpi_job.name,
            "containers": [container, *others],
            "volumes": [*items(spec.get("volumes")), *volumes],
        },
        "labels": {**text_pairs(at(template, "metadata", "labels")), **added},
        "annotations": text_pairs(at(template, "metadata", "annotations")),
    }
