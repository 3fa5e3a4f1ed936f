"""The Job controller: pods of Indexed and other Jobs, their failures, back-off, deadline and success.

Sources: Kubernetes documentation, Jobs (termination of job pods: a Job has failed only when all of its pods have ended;
success policy; suspending a Job) and Pod failure policy (a pod counts as failed in the phase Failed, not while it
terminates).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs, whole_number
from neuron_cluster.rehearsal.cluster import job_failures
from neuron_cluster.rehearsal.cluster.job import Job
from neuron_cluster.rehearsal.cluster.objects import INDEX_ANNOTATION, Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

PREFIX = "batch.kubernetes.io/"


class JobController:
    """All Jobs of the rehearsal."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.jobs: list[Job] = []
        self._counted: set[str] = set()

    def create(self, job: Job) -> None:
        self.jobs.append(job)

    def delete(self, job: Job) -> None:
        """In the foreground: the object goes after its pods."""
        job.is_deleted = True
        for pod in self._world.pods_of(job.uid):
            self._world.delete_pod(pod)

    def is_gone(self, job: Job) -> bool:
        return job.is_deleted and not self._world.pods_of(job.uid)

    def reconcile(self) -> None:
        for job in self.jobs:
            if not job.is_deleted and not job.is_finished:
                self._reconcile(job)

    def _reconcile(self, job: Job) -> None:
        self._count_failures(job)
        if job.failure is not None or job.has_succeeded:
            self._end(job)
        elif job.is_suspended:
            job.started_at = None
            self._end_pods(job)
        else:
            self._start_deadline(job)
            self._keep_running(job)

    def _start_deadline(self, job: Job) -> None:
        """Starts the deadline with the Job, and again when the Job is resumed."""
        if job.started_at is not None:
            return
        job.started_at = started = self._world.clock.now()
        deadline = whole_number(at(job.spec, "activeDeadlineSeconds"))

        def exceed() -> None:
            if job.started_at == started:
                self._fail(job, "DeadlineExceeded", "is active for too long")

        if deadline is not None:
            self._world.agenda.after(deadline, exceed)

    def _count_failures(self, job: Job) -> None:
        """Counts failures, also of deleted pods: a finalizer keeps each until it is counted (Jobs, job tracking)."""
        for pod in self._all_pods(job):
            if pod.phase is Phase.FAILED and pod.name not in self._counted:
                self._counted.add(pod.name)
                if not job.is_suspended and not job.has_succeeded:
                    self._back_off(job, pod)
                    self._count(job, pod)

    def _back_off(self, job: Job, pod: Pod) -> None:
        """Doubled with each failure, also with one that is ignored."""
        key = pod.index if job_failures.limit_of_index(job.spec) is not None else None
        job.failed_of_index[key] += 1
        first, longest = self._world.seconds["job_first_backoff"], self._world.seconds["job_longest_backoff"]
        seconds = min(first * 2.0 ** (job.failed_of_index[key] - 1), longest)
        job.not_before[key] = self._world.clock.now() + seconds
        self._world.agenda.after(seconds, lambda: None)

    def _keep_running(self, job: Job) -> None:
        """As many pods as may run at once, one for each index; with a failure policy once the last one has ended."""
        pods = self._all_pods(job)
        succeeded = [pod for pod in pods if pod.phase is Phase.SUCCEEDED]
        done = {pod.index for pod in succeeded if pod.index is not None}
        if job_failures.has_succeeded(job.spec, done):
            job.has_succeeded = True
            self._world.timeline.record(Source.JOB, job.name, "SuccessCriteriaMet", "by its success policy")
            return
        if len(succeeded) >= job.completions:
            self._complete(job)
            return
        if len(done) + len(job.failed_indexes) >= job.completions:
            self._fail(job, "FailedIndexes", f"indexes {', '.join(map(str, sorted(job.failed_indexes)))} failed")
            return
        waits_for_end = at(job.spec, "podFailurePolicy") is not None
        present = [pod for pod in pods if pod.is_active or (waits_for_end and not pod.is_terminal and not pod.is_gone)]
        room = min(job.wanted_pods, job.completions - len(succeeded)) - len(present)
        taken = {*done, *(pod.index for pod in present if pod.index is not None)}
        for index in self._free(job, taken)[: max(room, 0)]:
            self._world.pods.append(self._pod(job, index))

    def _free(self, job: Job, taken: set[int]) -> list[int | None]:
        """Indexes that need a pod now: after their back-off."""
        now = self._world.clock.now()
        if not job.is_indexed:
            return [None] * job.completions if now >= job.not_before.get(None, 0.0) else []
        waiting = (None,) if job_failures.limit_of_index(job.spec) is None else ()
        return [
            index
            for index in sorted(set(range(job.completions)) - taken - job.failed_indexes)
            if all(now >= job.not_before.get(key, 0.0) for key in (*waiting, index))
        ]

    def _count(self, job: Job, pod: Pod) -> None:
        action, why = job_failures.action_of(job.spec, pod)
        limit = job_failures.limit_of_index(job.spec)
        if action == "FailJob":
            self._fail(job, "PodFailurePolicy", f"{pod.name}: {why}")
        elif pod.index is not None and limit is not None and action != "Ignore":
            self._count_of_index(job, pod.index, ends=action == "FailIndex" or job.failed_of_index[pod.index] > limit)
        elif action == "Count":
            job.failed_pods += 1
            if job.failed_pods > job_failures.limit_of(job.spec):
                self._fail(job, "BackoffLimitExceeded", f"{pod.name}: {why}")

    def _count_of_index(self, job: Job, index: int, *, ends: bool) -> None:
        if not ends:
            return
        job.failed_indexes.add(index)
        most = whole_number(at(job.spec, "maxFailedIndexes"))
        self._world.timeline.record(Source.JOB, job.name, "IndexFailed", f"index {index}")
        if most is not None and len(job.failed_indexes) > most:
            self._fail(job, "MaxFailedIndexesExceeded", f"more than {most}")

    def _fail(self, job: Job, reason: str, message: str) -> None:
        if job.failure is None and not job.is_finished and not job.is_deleted:
            job.failure, job.why = reason, f"{reason}: {message}"
            self._world.timeline.record(Source.JOB, job.name, "FailureTarget", job.why)

    def _end(self, job: Job) -> None:
        """Its condition once all pods have ended."""
        self._end_pods(job)
        if any(not pod.is_terminal for pod in self._world.pods_of(job.uid)):
            return
        if job.has_succeeded:
            self._complete(job)
            return
        job.has_failed = True
        self._world.timeline.record(Source.JOB, job.name, "Failed", str(job.failure))

    def _complete(self, job: Job) -> None:
        job.is_complete = True
        self._world.timeline.record(Source.JOB, job.name, "Completed")

    def _end_pods(self, job: Job) -> None:
        for pod in self._world.pods_of(job.uid):
            if pod.is_active:
                self._world.delete_pod(pod)

    def _all_pods(self, job: Job) -> list[Pod]:
        """Also those that are gone: the Job keeps what came of them in its status."""
        return [pod for pod in self._world.pods if pod.owner == job.uid]

    def _pod(self, job: Job, index: int | None) -> Pod:
        template = at(job.spec, "template") or {}
        spec = at(template, "spec") or {}
        host = job.name if index is None else f"{job.name}-{index}"
        name = f"{host}-{self._world.number():05x}"
        indexes = {} if index is None else {INDEX_ANNOTATION: str(index)}
        added = {f"{PREFIX}job-name": job.name, f"{PREFIX}controller-uid": job.uid, **indexes}
        return Pod(
            name=name,
            namespace=job.namespace,
            info=self._world.info_of(name, job.namespace, spec),
            spec={**spec, "subdomain": at(spec, "subdomain")},
            labels={**job.pod_labels, **text_pairs(at(template, "metadata", "labels")), **added},
            annotations={**text_pairs(at(template, "metadata", "annotations")), **indexes},
            owner=job.uid,
            host_name=at(spec, "hostname") or (name if index is None else host),
            index=index,
        )


def unmodelled(spec: Mapping[str, Any]) -> list[str]:
    """Fields of a Job that have no effect here."""
    found = ["restarts of containers towards backoffLimit"] if _restarts_containers(spec) else []
    rules = items(at(spec, "successPolicy", "rules"))
    return found + ["succeededCount of a success policy"] * any("succeededCount" in rule for rule in rules)


def _restarts_containers(spec: Mapping[str, Any]) -> bool:
    return bool(at(spec, "template", "spec", "restartPolicy") == "OnFailure")
