"""The JobSet controller: one attempt after the other, under its failure policy.

Source: kubernetes-sigs/jobset@08dfbdf, api/jobset/v1alpha2/jobset_types.go (FailurePolicy, Network),
pkg/controllers/failure_policy.go, pkg/controllers/jobset_controller.go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_kubernetes.model.fields import at, items, text_pairs
from neuron_cluster.rehearsal.cluster.job import Job, indexed
from neuron_cluster.rehearsal.cluster.jobs import JobController
from neuron_cluster.rehearsal.cluster.objects import Pod
from neuron_cluster.rehearsal.cluster.ultraservers import EXCLUSIVE_TOPOLOGY
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.timeline import Source

LABELS = "jobset.sigs.k8s.io/"


@dataclass(eq=False, kw_only=True)
class JobSet:
    """``restarts`` are all, ``counted`` those that count towards ``maxRestarts``."""

    name: str
    namespace: str
    body: Mapping[str, Any]
    is_suspended: bool = False
    attempt: int = 0
    counted: int = 0
    jobs: list[Job] = field(default_factory=list)
    outcome: str | None = None
    """``Completed`` or ``Failed``."""
    why: str = ""

    @property
    def pod_owners(self) -> frozenset[str]:
        """Uids of its present Jobs, by which their pods are found."""
        return frozenset(job.uid for job in self.jobs)

    def has_ready_pods(self, pods: Collection[Pod]) -> bool:
        """Returns whether all wanted pods are ready or have succeeded."""
        wanted = sum(job.wanted_pods for job in self.jobs)
        return 0 < wanted <= sum(pod.is_ready or pod.is_done for pod in pods)

    @property
    def max_restarts(self) -> int:
        return int(at(self.body, "spec", "failurePolicy", "maxRestarts") or 0)


class JobSetController:
    """All JobSets of the rehearsal."""

    def __init__(self, world: World, jobs: JobController) -> None:
        self._world = world
        self._jobs = jobs
        self.job_sets: list[JobSet] = []

    def create(self, job_set: JobSet) -> None:
        self.job_sets.append(job_set)

    def reconcile(self) -> None:
        for job_set in self.job_sets:
            if job_set.outcome is None:
                self._reconcile(job_set)

    def _reconcile(self, job_set: JobSet) -> None:
        for job in job_set.jobs:
            job.is_suspended = job_set.is_suspended
        failed = next((job for job in job_set.jobs if job.has_failed and not job.is_deleted), None)
        if failed is not None:
            self._handle(job_set, failed)
        elif job_set.jobs and all(job.is_deleted for job in job_set.jobs):
            if all(self._jobs.is_gone(job) for job in job_set.jobs):
                job_set.jobs = []
        elif job_set.jobs and all(job.is_complete for job in job_set.jobs):
            self._end(job_set, "Completed")
        if not job_set.jobs and not job_set.is_suspended and job_set.outcome is None:
            self._start(job_set)

    def _start(self, job_set: JobSet) -> None:
        job_set.jobs = list(self._children(job_set))
        for job in job_set.jobs:
            self._jobs.create(job)
        self._world.timeline.record(Source.JOB_SET, job_set.name, "Started", f"attempt {job_set.attempt}")

    def _handle(self, job_set: JobSet, failed: Job) -> None:
        action, name = self._action(job_set, failed)
        if action == "FailJobSet":
            self._fail(job_set, f"rule {name}: {failed.failure}")
            return
        counts = action == "RestartJobSet"
        if counts and job_set.counted >= job_set.max_restarts:
            self._fail(job_set, f"maxRestarts {job_set.max_restarts} is reached: {failed.failure}")
            return
        job_set.counted += counts
        job_set.attempt += 1
        how = f"counted, {job_set.counted} of {job_set.max_restarts}" if counts else "not counted"
        self._world.timeline.record(Source.JOB_SET, job_set.name, "Restart", f"{how}: {name or failed.failure}")
        for job in job_set.jobs:
            self._jobs.delete(job)

    def _action(self, job_set: JobSet, failed: Job) -> tuple[str, str]:
        """Action and name of the first rule that matches; without one the restart counts."""
        for rule in items(at(job_set.body, "spec", "failurePolicy", "rules")):
            reasons = items(rule.get("onJobFailureReasons"))
            targets = items(rule.get("targetReplicatedJobs"))
            of_job = failed.labels.get(f"{LABELS}replicatedjob-name")
            if (not reasons or failed.failure in reasons) and (not targets or of_job in targets):
                return str(rule["action"]), str(rule.get("name", ""))
        return "RestartJobSet", ""

    def _fail(self, job_set: JobSet, message: str) -> None:
        for job in job_set.jobs:
            self._jobs.delete(job)
        self._end(job_set, "Failed", message)

    def _end(self, job_set: JobSet, outcome: str, message: str = "") -> None:
        job_set.outcome, job_set.why = outcome, message
        self._world.timeline.record(Source.JOB_SET, job_set.name, outcome, message)

    def _children(self, job_set: JobSet) -> Iterator[Job]:
        subdomain = at(job_set.body, "spec", "network", "subdomain") or job_set.name
        for replicated in items(at(job_set.body, "spec", "replicatedJobs")):
            for number in range(int(replicated.get("replicas") or 1)):
                yield self._job(job_set, replicated, number, str(subdomain))

    def _job(self, job_set: JobSet, replicated: Mapping[str, Any], number: int, subdomain: str) -> Job:
        template = at(replicated, "template") or {}
        spec = indexed(at(template, "spec") or {})
        pod = dict(at(spec, "template") or {})
        pod["spec"] = {**(at(pod, "spec") or {}), "subdomain": subdomain}
        topology = text_pairs(at(job_set.body, "metadata", "annotations")).get(EXCLUSIVE_TOPOLOGY)
        if topology is not None:
            metadata = at(pod, "metadata") or {}
            annotations = {**text_pairs(at(metadata, "annotations")), EXCLUSIVE_TOPOLOGY: topology}
            pod["metadata"] = {**metadata, "annotations": annotations}
        name = f"{job_set.name}-{replicated['name']}-{number}"
        labels = {
            **text_pairs(at(template, "metadata", "labels")),
            f"{LABELS}jobset-name": job_set.name,
            f"{LABELS}jobset-uid": f"uid-of-{job_set.name}",
            f"{LABELS}replicatedjob-name": str(replicated["name"]),
            f"{LABELS}job-index": str(number),
            f"{LABELS}restart-attempt": str(job_set.attempt),
        }
        uid = f"{name}/{job_set.attempt}"
        return Job(
            name=name,
            uid=uid,
            namespace=job_set.namespace,
            spec={**spec, "template": pod},
            labels=labels,
            pod_labels=labels,
        )
