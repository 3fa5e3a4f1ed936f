"""Kueue for the jobs of one ClusterQueue: admission by quota, the wait for pods, preemption, stops, and back-off.

Source: kubernetes-sigs/kueue@ff69552, apis/config/v1beta2 (WaitForPodsReady),
pkg/controller/core/workload_controller.go, site/content/en/v0.19/docs/tasks/manage/setup_wait_for_pods_ready.md,
pkg/scheduler/flavorassigner/tas_flavorassigner.go (topology).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct

from local_kubernetes.model.fields import at
from local_kubernetes.model.names import QUEUE_NAME_LABEL
from local_kubernetes.model.scheduling.pod_reader import pods_of
from local_kubernetes.model.scheduling.queue_flavors import without_flavor
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source


class Queue(Struct, frozen=True, kw_only=True):
    """``quota`` by resource. Times in seconds: how long pods may take to be Ready, at first and after a failure, and
    the back-off of an evicted job, which doubles from the first to the longest. ``has_topology``: all node groups of
    the queue have a network topology."""

    name: str
    quota: Mapping[str, int]
    pods_ready: float
    recovery: float
    first_backoff: float
    longest_backoff: float
    has_topology: bool = False
    of_team: str | None = None
    """Name of the ClusterQueue where it differs: that of a team."""

    @property
    def cluster_queue(self) -> str:
        return self.of_team or self.name


class Queued(Protocol):
    """A job as Kueue sees it: a JobSet, a Job, an MPIJob, a single pod."""

    is_suspended: bool

    @property
    def name(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def body(self) -> Mapping[str, Any]: ...
    @property
    def outcome(self) -> str | None: ...
    @property
    def pod_owners(self) -> Collection[str]: ...
    def has_ready_pods(self, pods: Collection[Pod]) -> bool:
        """Whether all of its ``pods`` are Ready, as Kueue's integration of the kind counts."""


@dataclass(eq=False)
class Workload:
    """One job in the queue. ``waits_since`` is when its pods began to be awaited; None while all are Ready."""

    job: Queued
    requests: Mapping[str, int]
    admitted: bool = False
    evictions: int = 0
    not_before: float = 0.0
    waits_since: float | None = None
    was_ready: bool = False
    message: str = ""


class QueueController:
    """Without a queue, jobs start at once."""

    def __init__(self, world: World, queue: Queue | None) -> None:
        self._world = world
        self._queue = queue
        self._taken: Mapping[str, int] = {}
        self._is_stopped = False
        self.workloads: list[Workload] = []

    def watch(self, job: Queued) -> None:
        """Holds a job of the queue back until it is admitted."""
        name = at(job.body, "metadata", "labels", QUEUE_NAME_LABEL)
        if self._queue is not None and name == self._queue.name:
            job.is_suspended = True
            self.workloads.append(Workload(job, _requests(job)))

    def counts_owner(self, pod: Pod) -> bool:
        """Whether a job of the queue makes the pod: Kueue manages no pod of such a job by itself."""
        return any(pod.owner in workload.job.pod_owners for workload in self.workloads)

    def reconcile(self) -> None:
        for workload in self.workloads:
            if workload.job.outcome is not None:
                workload.admitted = False
            elif not workload.admitted:
                self._admit(workload)
            else:
                self._await_pods(workload)

    @property
    def uses_quota(self) -> bool:
        """Whether a workload requests a resource that the queue counts: Kueue preempts no other."""
        quota = self._queue.quota if self._queue is not None else {}
        return any(workload.requests.get(name) for workload in self.workloads for name in quota)

    def preempt(self, seconds: float) -> None:
        """A workload of a higher priority takes the whole quota for some time."""
        queue = self._queue
        if queue is None:
            return
        self._taken = queue.quota
        for workload in self.workloads:
            if workload.admitted:
                self._evict(workload, "Preempted", "by a workload of a higher priority", backoff=0)

        def give_back() -> None:
            self._taken = {}

        self._world.agenda.after(seconds, give_back)

    def stop(self, seconds: float) -> None:
        """stopPolicy HoldAndDrain for some time: what is admitted is evicted, without a back-off."""
        queue = self._queue
        if queue is None:
            return
        self._is_stopped = True
        for workload in self.workloads:
            if workload.admitted:
                self._evict(workload, "ClusterQueueStopped", "The ClusterQueue is stopped", backoff=0)

        def open_again() -> None:
            self._is_stopped = False
            self._world.timeline.record(Source.QUEUE, queue.name, "Active", "stopPolicy None")

        self._world.agenda.after(seconds, open_again)

    def _admit(self, workload: Workload) -> None:
        queue, now = self._queue, self._world.clock.now()
        if queue is None or now < workload.not_before or self._has_pods(workload.job):
            return
        if self._is_stopped:
            self._hold(workload, f"ClusterQueue {queue.name} is stopped")
            return
        if queue.has_topology and (pods := without_flavor(workload.job.body, workload.job.namespace, queue.quota)):
            self._hold(workload, f"no TAS flavor assigned to {pods[0].workload}: it requests no device")
            return
        used = Counter(self._taken)
        for other in self.workloads:
            if other.admitted:
                used.update(other.requests)
        beyond = [name for name, most in queue.quota.items() if workload.requests.get(name, 0) > most]
        if beyond:
            requested, most = workload.requests[beyond[0]], queue.quota[beyond[0]]
            amounts = f"current podset request ({requested}) > maximum capacity ({most})"
            self._hold(workload, f"insufficient quota for {beyond[0]} in {queue.cluster_queue}, {amounts}")
            return
        short = [name for name, free in queue.quota.items() if workload.requests.get(name, 0) > free - used[name]]
        if short:
            self._hold(workload, f"insufficient unused quota for {short[0]} in {queue.cluster_queue}")
            return
        workload.admitted, workload.job.is_suspended, workload.message = True, False, ""
        workload.was_ready, workload.waits_since = False, now
        self._world.timeline.record(Source.QUEUE, workload.job.name, "Admitted", f"by {queue.name}")
        self._look_again(queue.pods_ready)

    def _hold(self, workload: Workload, message: str) -> None:
        if workload.message != message:
            self._world.timeline.record(Source.QUEUE, workload.job.name, "Pending", message)
        workload.message = message

    def _await_pods(self, workload: Workload) -> None:
        queue, now = self._queue, self._world.clock.now()
        if queue is None:
            return
        if workload.job.has_ready_pods(self._world.pods_of_any(workload.job.pod_owners)):
            workload.was_ready, workload.waits_since = True, None
            return
        if workload.waits_since is None:
            workload.waits_since = now
            self._look_again(queue.recovery)
        limit = queue.recovery if workload.was_ready else queue.pods_ready
        if now - workload.waits_since >= limit:
            backoff = min(queue.first_backoff * 2.0**workload.evictions, queue.longest_backoff)
            self._evict(workload, "PodsReadyTimeout", f"not Ready in {limit:.0f} s", backoff=backoff)
            workload.evictions += 1

    def _evict(self, workload: Workload, reason: str, message: str, *, backoff: float) -> None:
        again = f"; again after {backoff:.0f} s" if backoff else ""
        self._world.timeline.record(Source.QUEUE, workload.job.name, "Evicted", f"{reason}: {message}{again}")
        workload.admitted, workload.job.is_suspended = False, True
        workload.not_before = self._world.clock.now() + backoff
        self._look_again(backoff)

    def _look_again(self, seconds: float) -> None:
        """Wakes the controllers at that time."""
        self._world.agenda.after(seconds + 1, lambda: None)

    def _has_pods(self, job: Queued) -> bool:
        return any(not pod.is_terminal for pod in self._world.pods_of_any(job.pod_owners))


def _requests(job: Queued) -> Counter[str]:
    found: Counter[str] = Counter()
    for pod in pods_of([job.body], namespace=job.namespace):
        found.update({name: amount * (pod.replicas or 1) for name, amount in pod.requests.items()})
    return found
