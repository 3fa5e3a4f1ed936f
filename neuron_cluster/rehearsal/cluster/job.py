"""A Job as the API server has it, with what its controller knows of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from local_kubernetes.model.fields import at, text_pairs, whole_number
from neuron_cluster.rehearsal.cluster.objects import Pod

INDEXED = "Indexed"


@dataclass(eq=False, kw_only=True)
class Job:
    """``failure`` is the reason of its condition FailureTarget; ``has_failed`` of Failed, once its pods have ended."""

    name: str
    uid: str
    """A later Job of the same name has another one."""
    namespace: str
    spec: Mapping[str, Any]
    labels: Mapping[str, str]
    pod_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of its pods in addition to those of their template."""
    is_suspended: bool = False
    failure: str | None = None
    has_failed: bool = False
    has_succeeded: bool = False
    """Whether its success policy is met: the pods that still run are ended."""
    is_complete: bool = False
    is_deleted: bool = False
    failed_pods: int = 0
    failed_of_index: Counter[int | None] = field(default_factory=Counter)
    failed_indexes: set[int] = field(default_factory=set)
    not_before: dict[int | None, float] = field(default_factory=dict)
    """The time of the pod after a failed one, by index where each has its own back-off, else by None."""
    started_at: float | None = None
    why: str = ""

    @property
    def is_finished(self) -> bool:
        return self.has_failed or self.is_complete

    @property
    def outcome(self) -> str | None:
        """``Completed`` or ``Failed``."""
        return "Completed" if self.is_complete else "Failed" if self.has_failed else None

    @property
    def is_indexed(self) -> bool:
        return bool(at(self.spec, "completionMode") == INDEXED)

    @property
    def completions(self) -> int:
        """Where it is not set, one pod that succeeds is enough for a Job without indexes."""
        return int(at(self.spec, "completions") or 1)

    @property
    def wanted_pods(self) -> int:
        """At once."""
        parallelism = whole_number(at(self.spec, "parallelism"))
        return min(1 if parallelism is None else parallelism, self.completions)

    @property
    def pod_owners(self) -> frozenset[str]:
        return frozenset({self.uid})

    def has_ready_pods(self, pods: Collection[Pod]) -> bool:
        """Returns whether enough pods are ready; pods that have succeeded count too."""
        return self.wanted_pods <= sum(pod.is_ready or pod.is_done for pod in pods)

    @property
    def body(self) -> Mapping[str, Any]:
        """As the API server has it."""
        metadata = {"name": self.name, "namespace": self.namespace, "labels": dict(self.labels)}
        return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": self.spec}


def job_of(body: Mapping[str, Any], namespace: str) -> Job:
    """A Job by itself."""
    name = str(at(body, "metadata", "name"))
    return Job(
        name=name,
        uid=f"uid-of-{name}",
        namespace=namespace,
        spec=at(body, "spec") or {},
        labels=text_pairs(at(body, "metadata", "labels")),
        is_suspended=bool(at(body, "spec", "suspend")),
    )


def indexed(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """With ``completionMode``, which controllers of Jobs set where it is left out."""
    return {"completionMode": INDEXED, **spec}
