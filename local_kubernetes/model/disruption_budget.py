"""PodDisruptionBudgets: the limit that one sets, and the evictions that it allows.

Sources: https://kubernetes.io/docs/tasks/run-application/configure-pdb/ (rounding; "Arbitrary workloads and arbitrary
selectors"), https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/disruption/disruption.go
(getExpectedPodCount, getExpectedScale, updatePdbStatus) and pkg/apis/policy/validation/validation.go.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at

MIN_AVAILABLE, MAX_UNAVAILABLE = LIMITS = ("minAvailable", "maxUnavailable")
SCALED = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "LeaderWorkerSet"})
"""Kinds whose pods have a controller with a scale: a LeaderWorkerSet makes StatefulSets. The controller of pods of a
Job, JobSet, MPIJob, PyTorchJob or DaemonSet has none: their budget gets the condition SyncFailed."""
BARE = "Pod"
"""The controller counts no replicas of a pod without an owner, and its other pods as usual."""
PERCENTAGE = re.compile(r"0*(100|[0-9]{1,2})%")
"""A percentage that the API server accepts: at most 100%."""


class BudgetLimit(Struct, frozen=True):
    """``minAvailable`` or ``maxUnavailable``: a number of pods, or a percentage of the replicas of controllers."""

    key: str
    number: int
    is_percentage: bool = False

    @property
    def text(self) -> str:
        return f"{self.number}%" if self.is_percentage else str(self.number)

    @property
    def needs_scale(self) -> bool:
        """Whether the limit refers to the replicas of controllers, and not to the pods that exist."""
        return self.is_percentage or self.key == MAX_UNAVAILABLE

    @property
    def is_total(self) -> bool:
        """Whether it allows no eviction with any number of replicas."""
        least = 0 if self.key == MAX_UNAVAILABLE else 100
        return self.number == least and self.needs_scale

    def healthy(self, replicas: int) -> int:
        """The pods that must remain healthy. Kubernetes rounds both percentages up."""
        pods = math.ceil(replicas * self.number / 100) if self.is_percentage else self.number
        return pods if self.key == MIN_AVAILABLE else max(replicas - pods, 0)


def given_limits(body: Mapping[str, Any]) -> dict[str, Any]:
    """The limits that a budget sets, by key: the API server accepts one or none of them."""
    limits = {key: at(body, "spec", key) for key in LIMITS}
    return {key: given for key, given in limits.items() if given is not None}


def read_limit(key: str, given: Any) -> BudgetLimit | None:
    """A limit; None for a value that the API server rejects."""
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return BudgetLimit(key, given)
    if isinstance(given, str) and (percentage := PERCENTAGE.fullmatch(given)):
        return BudgetLimit(key, int(percentage[1]), is_percentage=True)
    return None


def evictions_allowed(limit: BudgetLimit | None, pods: Sequence[tuple[str, int | None]]) -> int | None:
    """The evictions that a budget allows while all its pods are healthy; None where their number is not known.

    ``pods`` are the kind of each owner and its number of pods.
    """
    if limit is None or (limit.needs_scale and any(kind != BARE and kind not in SCALED for kind, _ in pods)):
        return 0
    counts = [count for _, count in pods if count is not None]
    if len(counts) < len(pods):
        return None
    scaled = sum(counts) if not limit.needs_scale else sum(count or 0 for kind, count in pods if kind != BARE)
    return max(sum(counts) - limit.healthy(scaled), 0) if scaled else 0
