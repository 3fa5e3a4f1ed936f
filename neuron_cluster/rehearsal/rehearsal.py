"""Runs a workload until it ends, fails or cannot go on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from local_kubernetes.model.fields import at
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.rehearsal.cluster import node_life, scheduler
from neuron_cluster.rehearsal.cluster.client import CLIENT, client_pod
from neuron_cluster.rehearsal.cluster.daemon_sets import DaemonSet, DaemonSetController
from neuron_cluster.rehearsal.cluster.deployments import Deployment, DeploymentController
from neuron_cluster.rehearsal.cluster.job import Job, job_of
from neuron_cluster.rehearsal.cluster.job_sets import JobSet, JobSetController
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.kubelet import Kubelets
from neuron_cluster.rehearsal.cluster.leader_worker_sets import LeaderWorkerSetController
from neuron_cluster.rehearsal.cluster.mpi_jobs import MpiJob, MpiJobController
from neuron_cluster.rehearsal.cluster.pod_faults import PodFaults
from neuron_cluster.rehearsal.cluster.queued_pods import QueuedPods
from neuron_cluster.rehearsal.cluster.queues import Queue, QueueController
from neuron_cluster.rehearsal.cluster.services import Services
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.faults import FAULTS
from neuron_cluster.rehearsal.outcome import COMPLETED, UNFINISHED
from neuron_cluster.rehearsal.planned_faults import Middle, PlannedFaults
from neuron_cluster.rehearsal.program_events import ProgramEvents
from neuron_cluster.rehearsal.waiting import block_child_signals, ended_children, wait_for_next

CLIENT_SECONDS = 600
"""At most, from the end of the rehearsal until the client has reported."""
MOST_ROUNDS = 50
"""Rounds of controllers that react to each other, before it is called an endless loop."""


class Run(Protocol):
    """A workload that ends by itself: a JobSet, a Job, an MPIJob."""

    why: str

    @property
    def outcome(self) -> str | None: ...


class Rehearsal:
    """The controllers of one cluster, and the programs that they run."""

    def __init__(
        self,
        world: World,
        *,
        queue: Queue | None,
        faults: Iterable[Fault],
        middle: Middle,
        progress: Callable[[float, str], None],
    ) -> None:
        self.world = world
        self.kubelets = Kubelets(world)
        self.pod_faults = PodFaults(world)
        self._jobs = JobController(world)
        self.job_sets = JobSetController(world, self._jobs)
        self.mpi_jobs = MpiJobController(world, self._jobs)
        self.queues = QueueController(world, queue)
        self._queued_pods = QueuedPods(world, self.queues)
        self.deployments = DeploymentController(world)
        self.daemon_sets = DaemonSetController(world)
        self.leader_worker_sets = LeaderWorkerSetController(world)
        self._services = Services(world)
        self.faults = PlannedFaults(faults, middle, agenda=world.agenda, timeline=world.timeline, cause=self._cause)
        self._programs = ProgramEvents(
            world.folder / "logs", clock=world.clock, timeline=world.timeline, faults=self.faults, progress=progress
        )
        self._runs: list[Run] = []
        self.wanted_pods = 0

    def create(self, objects: Iterable[Mapping[str, Any]], namespace: str) -> None:
        """Creates the objects of ``helm install``."""
        for body in objects:
            self.wanted_pods += sum(pod.replicas or 1 for pod in pods_of([body], namespace=namespace))
            name = str(at(body, "metadata", "name"))
            match body.get("kind"):
                case "ConfigMap":
                    self.world.config_maps[name] = at(body, "data") or {}
                case "ResourceClaim" | "ResourceClaimTemplate":
                    self.world.device_claims.append(body)
                case "JobSet" | "MPIJob" | "Job":
                    self._create_job(body, name, namespace)
                case "Deployment":
                    self.deployments.create(Deployment(name=name, namespace=namespace, body=body))
                case "DaemonSet":
                    self.daemon_sets.create(DaemonSet(name=name, namespace=namespace, body=body))
                    self.wanted_pods += self.daemon_sets.fitting_nodes() - 1
                case "LeaderWorkerSet":
                    for group in self.leader_worker_sets.create(body, namespace):
                        self.queues.watch(group)
                case "Service":
                    self._services.create(name, body)

    def _create_job(self, body: Mapping[str, Any], name: str, namespace: str) -> None:
        """Creates a workload that ends by itself."""
        run: JobSet | MpiJob | Job
        match body.get("kind"):
            case "JobSet":
                suspended = bool(at(body, "spec", "suspend"))
                run = JobSet(name=name, namespace=namespace, body=body, is_suspended=suspended)
                self.job_sets.create(run)
            case "MPIJob":
                suspended = bool(at(body, "spec", "runPolicy", "suspend"))
                run = MpiJob(name=name, namespace=namespace, body=body, is_suspended=suspended)
                self.mpi_jobs.create(run)
            case _:
                run = job_of(body, namespace)
                self._jobs.create(run)
        self._runs.append(run)
        self.queues.watch(run)

    def run(self, limit_seconds: float) -> None:
        """Until all jobs have ended, or ``limit_seconds`` of the rehearsal have passed: a server has no end."""
        self.world.agenda.run_due()
        block_child_signals()
        while not self._is_over() and self.world.clock.now() < limit_seconds:
            self._reconcile()
            if self._is_over() or not self._wait(limit_seconds):
                break

    @property
    def is_server(self) -> bool:
        """Whether something of it has no end."""
        return bool(self.deployments.deployments or self.daemon_sets.daemon_sets or self.leader_worker_sets.groups)

    def ended(self) -> tuple[str, str]:
        """How it ended, and why: the first job that did not complete, or server that is not Ready."""
        ends = [(run.outcome or UNFINISHED, run.why) for run in self._runs]
        if not self.deployments.are_ready() or not self.leader_worker_sets.are_ready():
            ends.append((UNFINISHED, ""))
        why_not_ready = self.daemon_sets.why_not_ready()
        if why_not_ready is not None:
            return UNFINISHED, why_not_ready
        outcome, why = next((each for each in ends if each[0] != COMPLETED), (COMPLETED, ""))
        return outcome, why if outcome != UNFINISHED else self.why_unfinished()

    def why_unfinished(self) -> str:
        """Returns what the first pod that does not run waits for."""
        held = next((each.message for each in self.queues.workloads if each.message and each.job.outcome is None), "")
        if held:
            return held
        waiting = [pod for pod in self.world.live_pods() if not pod.is_ready and not pod.is_terminal]
        return next((f"{pod.name}: {pod.message}" for pod in waiting if pod.message), "it still runs")

    def send_requests(self, service: str) -> None:
        """Adds a client of the Service, outside of the cluster."""
        self.world.pods.append(client_pod(service))

    def end_requests(self) -> None:
        """The client reports its totals."""
        for pod in self.world.live_pods():
            if pod.owner == CLIENT:
                self.world.delete_pod(pod)
        end = self.world.clock.now() + CLIENT_SECONDS
        while self.world.clock.now() < end and any(pod.owner == CLIENT for pod in self.world.live_pods()):
            self._reconcile()
            self._wait(end)

    def _is_over(self) -> bool:
        return not self.is_server and all(run.outcome is not None for run in self._runs)

    def _reconcile(self) -> None:
        """Until no controller finds anything to do."""
        for _ in range(MOST_ROUNDS):
            before = len(self.world.timeline.events), len(self.world.pods), len(self.world.live_pods())
            self.queues.reconcile()
            self.job_sets.reconcile()
            self.mpi_jobs.reconcile()
            self._jobs.reconcile()
            self.deployments.reconcile()
            self.daemon_sets.reconcile()
            self.leader_worker_sets.reconcile()
            self._queued_pods.reconcile()
            scheduler.schedule(self.world)
            self.pod_faults.refresh()
            self.kubelets.sync()
            self._services.reconcile()
            if any(pod.is_ready for pod in self.world.live_pods()):
                self.faults.are_under_way()
            for node in self.world.present_nodes():
                node_life.replace_when_drained(node, self.world)
            if before == (len(self.world.timeline.events), len(self.world.pods), len(self.world.live_pods())):
                return
        raise RuntimeError("the controllers do not come to rest")

    def _wait(self, limit_seconds: float) -> bool:
        """Waits for the next event. Returns False when there can be none."""
        kubelets = self.kubelets
        goes_on = wait_for_next(
            self.world.clock,
            self.world.agenda,
            limit_seconds,
            has_programs=kubelets.has_programs,
            is_computing=lambda: kubelets.is_computing,
        )
        if goes_on:
            for process, exit_code in ended_children():
                kubelets.ended(process, exit_code)
            self._programs.record()
            self.world.agenda.run_due()
        return goes_on

    def _cause(self, fault: Fault) -> None:
        FAULTS[fault.name].cause(self, fault)

    @property
    def replaced_programs(self) -> set[str]:
        """Names of programs and images in the place of which another one ran."""
        return self._programs.replaced | self.world.replaced_programs
