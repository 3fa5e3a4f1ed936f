"""The Job controller: Indexed Jobs with all indexes at once, and pod failure policies.

Sources: Kubernetes documentation, Jobs (pod failure policy; termination of job pods: a Job has failed only when all of
its pods have ended) and Pod failure policy (a pod counts as failed in the phase Failed, not while it terminates).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neuron_cluster.kubernetes.fields import at, items, text_pairs, whole_number
from neuron_cluster.kubernetes.scheduling.pod_reader import pods_of
from neuron_cluster.rehearsal.cluster.objects import Phase, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

DEFAULT_BACKOFF_LIMIT = 6
INDEX_ANNOTATION = "batch.kubernetes.io/job-completion-index"


@dataclass(eq=False, kw_only=True)
class Job:
    """``failure`` is the reason of its condition FailureTarget; ``has_failed`` of Failed, once its pods have ended."""

    name: str
    uid: str
    """A later Job of the same name has another one."""
    namespace: str
    spec: Mapping[str, Any]
    labels: Mapping[str, str]
    is_suspended: bool = False
    failure: str | None = None
    has_failed: bool = False
    is_complete: bool = False
    is_deleted: bool = False
    failed_pods: int = 0

    @property
    def is_finished(self) -> bool:
        return self.has_failed or self.is_complete


class JobController:
    """All Jobs of the rehearsal."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.jobs: list[Job] = []
        self._counted: set[str] = set()

    def create(self, job: Job) -> None:
        self.jobs.append(job)
        deadline = whole_number(at(job.spec, "activeDeadlineSeconds"))
        if deadline is not None:
            self._world.agenda.after(deadline, lambda: self._fail(job, "DeadlineExceeded", "is active for too long"))

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
        pods = self._world.pods_of(job.uid)
        self._count_failures(job)
        if job.failure is not None:
            self._end_failed(job, pods)
        elif job.is_suspended:
            for pod in pods:
                if pod.is_active:
                    self._world.delete_pod(pod)
        else:
            self._keep_running(job, pods)

    def _count_failures(self, job: Job) -> None:
        """Of deleted pods too: a finalizer keeps each until the Job has counted it (Jobs, job tracking)."""
        for pod in self._world.pods:
            if pod.owner == job.uid and pod.phase is Phase.FAILED and pod.name not in self._counted:
                self._counted.add(pod.name)
                if not job.is_suspended:
                    self._count(job, pod)

    def _keep_running(self, job: Job, pods: list[Pod]) -> None:
        """A pod for each index that has not succeeded; with a pod failure policy only once the last one has ended."""
        done = {pod.index for pod in pods if pod.phase is Phase.SUCCEEDED}
        present = {pod.index for pod in pods if pod.phase is not Phase.FAILED}
        count = int(at(job.spec, "completions") or at(job.spec, "parallelism") or 1)
        if len(done) == count:
            job.is_complete = True
            self._world.timeline.record(Source.JOB, job.name, "Completed")
            return
        for index in sorted(set(range(count)) - present):
            self._world.pods.append(self._pod(job, index))

    def _count(self, job: Job, pod: Pod) -> None:
        action, why = self._action(job, pod)
        if action == "FailJob":
            self._fail(job, "PodFailurePolicy", f"{pod.name}: {why}")
        elif action == "Count":
            job.failed_pods += 1
            limit = whole_number(at(job.spec, "backoffLimit"))
            if job.failed_pods > (DEFAULT_BACKOFF_LIMIT if limit is None else limit):
                self._fail(job, "BackoffLimitExceeded", f"{pod.name}: {why}")

    def _action(self, job: Job, pod: Pod) -> tuple[str, str]:
        """Of the first rule that matches; without one the failure counts."""
        for rule in items(at(job.spec, "podFailurePolicy", "rules")):
            why = _match(rule, pod)
            if why:
                return str(rule["action"]), why
        codes = ", ".join(f"{each.name} exit code {each.exit_code}" for each in pod.containers if each.exit_code)
        return "Count", codes or pod.disruption or "failed"

    def _fail(self, job: Job, reason: str, message: str) -> None:
        if job.failure is None and not job.is_finished and not job.is_deleted:
            job.failure = reason
            self._world.timeline.record(Source.JOB, job.name, "FailureTarget", f"{reason}: {message}")

    def _end_failed(self, job: Job, pods: list[Pod]) -> None:
        for pod in pods:
            if pod.is_active:
                self._world.delete_pod(pod)
        if all(pod.is_terminal for pod in pods if not pod.is_gone):
            job.has_failed = True
            self._world.timeline.record(Source.JOB, job.name, "Failed", str(job.failure))

    def _pod(self, job: Job, index: int) -> Pod:
        template = at(job.spec, "template") or {}
        spec = at(template, "spec") or {}
        metadata = {"name": f"{job.name}-{index}-{self._world.number():05x}", "namespace": job.namespace}
        body = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
        (info,) = pods_of([body], namespace=job.namespace, others=self._world.device_claims)
        return Pod(
            name=metadata["name"],
            namespace=job.namespace,
            info=info,
            spec={**spec, "subdomain": at(spec, "subdomain")},
            labels={**job.labels, **text_pairs(at(template, "metadata", "labels"))},
            annotations={**text_pairs(at(template, "metadata", "annotations")), INDEX_ANNOTATION: str(index)},
            owner=job.uid,
            host_name=f"{job.name}-{index}",
            index=index,
        )


def _match(rule: Mapping[str, Any], pod: Pod) -> str:
    """Why the rule matches; empty where it does not."""
    for condition in items(rule.get("onPodConditions")):
        if at(condition, "type") == "DisruptionTarget" and pod.disruption is not None:
            return pod.disruption
    codes = rule.get("onExitCodes")
    if codes is not None:
        name, values, operator = at(codes, "containerName"), items(at(codes, "values")), at(codes, "operator")
        for container in pod.containers:
            code = container.exit_code
            if code and name in (None, container.name) and (code in values) == (operator == "In"):
                return f"{container.name} exit code {code}"
    return ""
