from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.dns_names import LABEL_LENGTH
from local_kubernetes.model.fields import at, expand, whole_number
from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

HASH_LENGTH = len("-0123456789")
"""``controller-revision-hash`` is the name, '-' and ten characters."""
CRON_LENGTH = len("-12345678901")
"""The names of a CronJob's Jobs end in the minute of their start."""
RANDOM_LENGTH = len("-abcde")


class DerivedNameTooLong(ManifestRule):
    """Names and labels that a controller derives from an object name have at most 63 characters (`metadata.name`)."""

    id = "E8812"
    source = (
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ (52 characters); "
        "kubernetes/kubernetes#64023 (StatefulSet); kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go (job and "
        "pod names); kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go (worker host names); "
        "kubeflow/training-operator@5525468:pkg/controller.v1/common/service.go (a Service for each pod)"
    )
    kinds = ("CronJob", "Job", "StatefulSet", "LeaderWorkerSet", "JobSet", "MPIJob", "PyTorchJob")

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        for what, length in _derived(obj):
            if length > LABEL_LENGTH:
                message = (
                    f"{what} derived from {obj.name!r} has {length} characters; at most {LABEL_LENGTH} are allowed"
                )
                yield Violation("metadata.name", message, _hint(len(obj.name) - length + LABEL_LENGTH))


def _derived(obj: KubernetesObject) -> Iterator[tuple[str, int]]:
    """Each derived name or label with its maximum length."""
    length = len(obj.name)
    match obj.kind:
        case "CronJob":
            yield "a job name", length + CRON_LENGTH - 1
        case "Job":
            yield "the label job-name", length
        case "StatefulSet":
            yield "the label controller-revision-hash", length + HASH_LENGTH
        case "LeaderWorkerSet":
            # Each group of workers is a StatefulSet: NAME-<group>, with pods NAME-<group>-<worker>.
            groups = whole_number(at(obj.body, "spec", "replicas")) or 1
            yield "the label controller-revision-hash", length + 1 + len(str(groups - 1)) + HASH_LENGTH
        case "MPIJob":
            workers = whole_number(at(obj.body, "spec", "mpiReplicaSpecs", "Worker", "replicas")) or 1
            yield "the host name of a worker", length + len(f"-worker-{workers - 1}")
        case "PyTorchJob":
            for kind, spec in (at(obj.body, "spec", "pytorchReplicaSpecs") or {}).items():
                pods = whole_number(at(spec, "replicas")) or 1
                yield f"the Service of a {kind}", length + len(f"-{kind}-{pods - 1}")
        case "JobSet":
            yield from _of_job_set(obj, length)


def _of_job_set(obj: KubernetesObject, length: int) -> Iterator[tuple[str, int]]:
    for _, job in expand(obj.body, "spec.replicatedJobs.*"):
        jobs = whole_number(at(job, "replicas")) or 1
        job_length = length + len(f"-{at(job, 'name')}-{jobs - 1}")
        pods = whole_number(at(job, "template", "spec", "completions"))
        yield "a job name", job_length
        if pods is not None:
            yield "a pod name", job_length + len(f"-{pods - 1}") + RANDOM_LENGTH


def _hint(maximum: int) -> str:
    if maximum < 1:  # the name of the replicated job alone is too long
        return "write a shorter name of the replicated job, in replicatedJobs, dependsOn and targetReplicatedJobs"
    return f"write a name of at most {maximum} characters, here and where it is used"
