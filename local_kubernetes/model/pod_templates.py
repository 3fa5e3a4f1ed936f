"""The pod templates of an object, wherever its kind has them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, expand, numbered
from local_kubernetes.model.objects import KubernetesObject, labels_of

TEMPLATE_PLACES: Mapping[str, tuple[str, ...]] = {
    "Pod": ("",),
    "PodTemplate": ("template",),
    "Deployment": ("spec.template",),
    "ReplicaSet": ("spec.template",),
    "ReplicationController": ("spec.template",),
    "StatefulSet": ("spec.template",),
    "DaemonSet": ("spec.template",),
    "Job": ("spec.template",),
    "CronJob": ("spec.jobTemplate.spec.template",),
    "JobSet": ("spec.replicatedJobs.*.template.spec.template",),
    "MPIJob": ("spec.mpiReplicaSpecs.*.template",),
    "PyTorchJob": ("spec.pytorchReplicaSpecs.*.template",),
    "LeaderWorkerSet": ("spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"),
}
"""The paths of pod templates in each kind: the Kubernetes API reference; the CRDs of kubernetes-sigs/jobset,
kubeflow/mpi-operator, kubeflow/training-operator (v1.7.0) and kubernetes-sigs/lws."""

JOB_PLACES: Mapping[str, str] = {
    "Job": "",
    "CronJob": "spec.jobTemplate",
    "JobSet": "spec.replicatedJobs.*.template",
}
"""The path of the Job template (metadata and spec) in each kind."""

LABELS_OF_CONTROLLERS: Mapping[str, tuple[str, ...]] = {
    "StatefulSet": ("statefulset.kubernetes.io/", "apps.kubernetes.io/"),
    "Job": ("batch.kubernetes.io/", "job-name", "controller-uid"),
    "CronJob": ("batch.kubernetes.io/", "job-name", "controller-uid"),
    "JobSet": ("jobset.sigs.k8s.io/", "batch.kubernetes.io/", "job-name"),
    "MPIJob": ("training.kubeflow.org/",),
    "PyTorchJob": ("training.kubeflow.org/",),
    "LeaderWorkerSet": ("leaderworkerset.sigs.k8s.io/", "statefulset.kubernetes.io/", "apps.kubernetes.io/"),
}
"""Prefixes of the labels that a controller adds to its pods; their values are not checked."""


class Container(Struct, frozen=True):
    """One container of a pod; ``place`` is the list that holds it."""

    path: str
    body: Mapping[str, Any]
    place: str

    @property
    def name(self) -> str:
        return str(self.body.get("name", ""))


class PodTemplate(Struct, frozen=True, dict=True):
    """``path`` is the template's own inside the object: ``spec.template``; empty for a bare pod.

    What every rule reads is computed once, and kept in the ``dict``.
    """

    owner: KubernetesObject
    path: str
    body: Mapping[str, Any]

    @property
    def spec_path(self) -> str:
        return f"{self.path}.spec" if self.path else "spec"

    @functools.cached_property
    def spec(self) -> Any:
        return at(self.body, "spec")

    @property
    def labels(self) -> dict[str, str]:
        return labels_of(self.body)

    @functools.cached_property
    def containers(self) -> tuple[Container, ...]:
        """Every container, in the order in which they start."""
        return tuple(
            Container(path, body, place)
            for place in ("initContainers", "containers", "ephemeralContainers")
            for path, body in numbered(at(self.spec, place), f"{self.spec_path}.{place}")
            if isinstance(body, Mapping)
        )

    def matches(self, selector: Mapping[str, str]) -> bool:
        """Whether ``matchLabels`` select these pods. Labels that a controller adds later count as matching."""
        added = LABELS_OF_CONTROLLERS.get(self.owner.kind, ())
        return all(self.labels.get(key) == value or key.startswith(added or ("\0",)) for key, value in selector.items())


def pod_templates(owner: KubernetesObject) -> Iterator[PodTemplate]:
    """The templates inside one object; empty where its kind creates no pods."""
    for place in TEMPLATE_PLACES.get(owner.kind, ()):
        for path, body in expand(owner.body, place):
            if isinstance(body, Mapping):
                yield PodTemplate(owner, path, body)


def job_templates(owner: KubernetesObject) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Path and spec of every Job that the object is or creates."""
    if owner.kind in JOB_PLACES:
        for path, body in expand(owner.body, JOB_PLACES[owner.kind]):
            spec = at(body, "spec")
            if isinstance(spec, Mapping):
                yield f"{path}.spec" if path else "spec", spec
