"""Runs a workload until it ends, fails or cannot go on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from neuron_cluster.kubernetes.fields import at
from neuron_cluster.rehearsal.cluster import node_life, scheduler
from neuron_cluster.rehearsal.cluster.job_sets import JobSet, JobSetController
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.kubelet import Kubelets
from neuron_cluster.rehearsal.cluster.pod_faults import PodFaults
from neuron_cluster.rehearsal.cluster.queues import Queue, QueueController
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.faults import FAULTS, Fault
from neuron_cluster.rehearsal.program_events import ProgramEvents
from neuron_cluster.rehearsal.timeline import Source

LONGEST_LOOK_SECONDS = 0.01
"""Here, between two looks at the reports of programs."""
MOST_ROUNDS = 50
"""Of controllers that react to each other, before it is called an endless loop."""


class Rehearsal:
    """The controllers of one cluster, and the programs that they run."""

    def __init__(
        self,
        world: World,
        *,
        queue: Queue | None,
        faults: Iterable[Fault],
        steps: int,
        progress: Callable[[float, str], None],
    ) -> None:
        self.world = world
        self._progress = progress
        self.kubelets = Kubelets(world)
        self.pod_faults = PodFaults(world)
        self._jobs = JobController(world)
        self.job_sets = JobSetController(world, self._jobs)
        self.queues = QueueController(world, queue)
        self._programs = ProgramEvents(world.folder / "logs")
        self._by_step: dict[int, list[Fault]] = {}
        for fault in faults:
            if fault.seconds is not None:
                world.agenda.at(fault.seconds, lambda fault=fault: self._cause(fault))  # type: ignore[misc]
            else:
                self._by_step.setdefault(fault.step or steps // 2, []).append(fault)

    def create(self, objects: Iterable[Mapping[str, Any]], namespace: str) -> None:
        """What ``helm install`` creates."""
        for body in objects:
            name = str(at(body, "metadata", "name"))
            match body.get("kind"):
                case "ConfigMap":
                    self.world.config_maps[name] = at(body, "data") or {}
                case "JobSet":
                    suspended = bool(at(body, "spec", "suspend"))
                    job_set = JobSet(name=name, namespace=namespace, body=body, is_suspended=suspended)
                    self.job_sets.create(job_set)
                    self.queues.watch(job_set)

    def run(self, limit_seconds: float) -> None:
        """Until all workloads have ended; at most ``limit_seconds`` of the rehearsal."""
        self.world.agenda.run_due()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        while not self._is_over() and self.world.clock.now() < limit_seconds:
            self._reconcile()
            if self._is_over() or not self._wait(limit_seconds):
                break

    def why_unfinished(self) -> str:
        """What the first pod that does not run waits for."""
        held = next((each.message for each in self.queues.workloads if each.message), "")
        if held:
            return held
        waiting = [pod for pod in self.world.live_pods() if not pod.is_ready and not pod.is_terminal]
        return next((f"{pod.name}: {pod.message}" for pod in waiting if pod.message), "it still runs")

    def _is_over(self) -> bool:
        return all(job_set.outcome is not None for job_set in self.job_sets.job_sets)

    def _reconcile(self) -> None:
        """Until no controller finds anything to do."""
        for _ in range(MOST_ROUNDS):
            before = len(self.world.timeline.events), len(self.world.pods), len(self.world.live_pods())
            self.queues.reconcile()
            self.job_sets.reconcile()
            self._jobs.reconcile()
            scheduler.schedule(self.world)
            self.pod_faults.refresh()
            self.kubelets.sync()
            for node in self.world.present_nodes():
                node_life.replace_when_drained(node, self.world)
            if before == (len(self.world.timeline.events), len(self.world.pods), len(self.world.live_pods())):
                return
        raise RuntimeError("the controllers do not come to rest")

    def _wait(self, limit_seconds: float) -> bool:
        """For the next thing that happens. False when nothing can."""
        clock, agenda = self.world.clock, self.world.agenda
        moment = agenda.next_moment
        if not self.kubelets.has_programs:
            if moment is None:
                return False
            clock.jump_to(min(moment, limit_seconds))
        else:
            clock.pass_slowly(slowly=self.kubelets.is_computing)
            seconds = clock.seconds_until(moment) if moment is not None else LONGEST_LOOK_SECONDS
            signal.sigtimedwait({signal.SIGCHLD}, min(seconds, LONGEST_LOOK_SECONDS))
        self._reap()
        self._read_programs()
        agenda.run_due()
        return True

    def _reap(self) -> None:
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                return
            self.kubelets.ended(process, os.waitstatus_to_exitcode(status))

    def _read_programs(self) -> None:
        for pod, report in self._programs.new():
            reason = str(report.pop("reason"))
            words = ", ".join(f"{name} {value}" for name, value in report.items())
            self._progress(self.world.clock.now(), f"{reason} {words}")
            self.world.timeline.record(Source.PROGRAM, pod, reason, words)
            if reason == "Step":
                for fault in self._by_step.pop(int(report["step"]), ()):
                    self._cause(fault)

    def _cause(self, fault: Fault) -> None:
        FAULTS[fault.name].cause(self)
