"""The kinds that have pods: how each is stopped, and how it reports its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, items, whole_number
from neuron_cluster.schedulers.kubernetes.running.cluster_state import Condition, Object, annotations_of, conditions_of


class ControllerKind(Struct, frozen=True):
    """``stop_path`` is the field that stops it: a boolean, or a number of replicas.

    ``completed`` and ``failed`` are conditions of a job at its end; empty for servers.
    """

    resource: str
    stop_path: tuple[str, ...]
    completed: str = ""
    failed: str = ""

    @property
    def is_server(self) -> bool:
        return self.stop_path[-1] == "replicas"

    def stop_patch(self) -> dict[str, Any]:
        """A merge patch."""
        return _nested(self.stop_path, 0 if self.is_server else True)

    def start_patch(self, body: Object, replicas: int | None = None) -> dict[str, Any]:
        """The opposite; a server gets the number of replicas from before its stop, else 1."""
        before = replicas or whole_number(annotations_of(body).get(REPLICAS_ANNOTATION)) or 1
        return _nested(self.stop_path, before if self.is_server else False)


REPLICAS_ANNOTATION = "neuron-cluster/replicas-before-stop"
"""Set by `neuron-cluster workload stop` on what it scales to 0."""

PAUSED = "autoscaling.keda.sh/paused-replicas"
"""KEDA scales to this number and stays there (https://keda.sh/docs/latest/concepts/scaling-deployments/)."""
KINDS: Mapping[str, ControllerKind] = {
    "JobSet": ControllerKind("jobsets.jobset.x-k8s.io", ("spec", "suspend"), "Completed", "Failed"),
    "MPIJob": ControllerKind("mpijobs.kubeflow.org", ("spec", "runPolicy", "suspend"), "Succeeded", "Failed"),
    "PyTorchJob": ControllerKind("pytorchjobs.kubeflow.org", ("spec", "runPolicy", "suspend"), "Succeeded", "Failed"),
    "Job": ControllerKind("jobs.batch", ("spec", "suspend"), "Complete", "Failed"),
    "CronJob": ControllerKind("cronjobs.batch", ("spec", "suspend")),
    "Deployment": ControllerKind("deployments.apps", ("spec", "replicas")),
    "LeaderWorkerSet": ControllerKind("leaderworkersets.leaderworkerset.x-k8s.io", ("spec", "replicas")),
}
"""kubernetes-sigs/jobset@08dfbdf: api/jobset/v1alpha2; kubeflow/mpi-operator: pkg/apis/kubeflow/v2beta1/types.go;
kubeflow/training-operator@5525468: pkg/apis/kubeflow.org/v1/common_types.go;
https://kubernetes.io/docs/concepts/workloads/controllers/job/#suspending-a-job;
https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-suspension."""


def kind_of(body: Object) -> ControllerKind:
    return KINDS[str(body.get("kind"))]


def is_stopped(body: Object) -> bool:
    """Suspended, which Kueue does too, or scaled to 0."""
    kind = kind_of(body)
    value = at(body, *kind.stop_path)
    return whole_number(value) == 0 if kind.is_server else value is True


def expected_pods(body: Object) -> int:
    """Pods that the object makes when nothing stops it; 0 for a CronJob, whose Jobs come and end."""
    spec = at(body, "spec")
    match body.get("kind"):
        case "JobSet":
            jobs = items(at(spec, "replicatedJobs"))
            return sum(_count(at(job, "replicas")) * _count(at(job, "template", "spec", "parallelism")) for job in jobs)
        case "MPIJob":
            return sum(_count(at(each, "replicas")) for each in (at(spec, "mpiReplicaSpecs") or {}).values())
        case "PyTorchJob":
            return sum(_count(at(each, "replicas")) for each in (at(spec, "pytorchReplicaSpecs") or {}).values())
        case "LeaderWorkerSet":
            return _count(at(spec, "replicas")) * _count(at(spec, "leaderWorkerTemplate", "size"))
        case "CronJob":
            return 0
    return _count(at(spec, "replicas" if body.get("kind") == "Deployment" else "parallelism"))


def _count(value: Any) -> int:
    """1 where it is not set."""
    number = whole_number(value)
    return 1 if number is None else number


def end_of(body: Object) -> Condition | None:
    """The condition of a job that has completed or failed; None while it has not."""
    kind, found = kind_of(body), conditions_of(body)
    ends = (found.get(each) for each in (kind.completed, kind.failed) if each)
    return next((end for end in ends if end is not None and end.is_true), None)


def is_finished(body: Object) -> bool:
    return end_of(body) is not None


def has_failed(body: Object) -> bool:
    end = end_of(body)
    return end is not None and end.type == kind_of(body).failed


def _nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    head, *rest = path
    return {head: _nested(tuple(rest), value) if rest else value}
