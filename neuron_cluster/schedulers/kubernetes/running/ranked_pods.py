"""The pods of a release in the order of their ranks, and the one that leads."""

from __future__ import annotations

from msgspec import Struct

from local_kubernetes.model.fields import at, items, whole_number
from local_kubernetes.model.objects import labels_of
from neuron_cluster.errors import ToolkitError
from neuron_cluster.schedulers.kubernetes.running.cluster_state import Object, created_at, name_of, owners_of
from neuron_cluster.schedulers.kubernetes.running.release import CHART_LABEL, COMPONENT_LABEL, INSTANCE_LABEL, Release

LAUNCHER = "launcher"
INDEX_LABELS = (
    "jobset.sigs.k8s.io/job-index",
    "batch.kubernetes.io/job-completion-index",
    "leaderworkerset.sigs.k8s.io/group-index",
    "leaderworkerset.sigs.k8s.io/worker-index",
    "training.kubeflow.org/replica-index",
)
"""From the outer to the inner index (kubernetes-sigs/jobset@08dfbdf, kubernetes-sigs/lws: api/leaderworkerset/v1,
kubeflow/mpi-operator: pkg/apis/kubeflow/v2beta1/constants.go, kubernetes.io: labels, annotations and taints)."""


class RankedPod(Struct, frozen=True):
    """``rank`` is None for the launcher of an MPIJob, which has none."""

    name: str
    rank: int | None
    body: Object


def ranked_pods(release: Release) -> list[RankedPod]:
    """One for each index: the newest of several. The launcher of an MPIJob comes first; a server's by name."""
    newest: dict[tuple[int, ...] | str, Object] = {}
    for body in sorted(release.pods, key=lambda each: created_at(each) or ""):
        newest[_index(body) or name_of(body)] = body
    pods = sorted(newest.values(), key=lambda each: (_index(each), name_of(each)))
    launchers = [body for body in pods if labels_of(body).get(COMPONENT_LABEL) == LAUNCHER]
    others = [body for body in pods if body not in launchers]
    return [
        *(RankedPod(name_of(body), None, body) for body in launchers),
        *(RankedPod(name_of(body), rank, body) for rank, body in enumerate(others)),
    ]


def current_pods(release: Release) -> list[Object]:
    """All but the failed ones that a newer pod of the same owner and index has replaced."""
    latest: dict[tuple[str, tuple[int, ...]], str] = {}
    for body in release.pods:
        place = (str(owners_of(body)), _index(body))
        latest[place] = max(latest.get(place, ""), created_at(body) or "")
    return [
        body
        for body in release.pods
        if at(body, "status", "phase") != "Failed"
        or (created_at(body) or "") >= latest[str(owners_of(body)), _index(body)]
    ]


def pod_of_rank(release: Release, rank: int | None) -> RankedPod:
    """The leader without a rank. Raises ``ToolkitError`` where there is no such pod."""
    pods = ranked_pods(release)
    if not pods:
        raise ToolkitError(
            f"{release.name} has no pods in namespace {release.namespace}", hint="`workload why` shows the reason"
        )
    if rank is None:
        return pods[0]
    found = next((pod for pod in pods if pod.rank == rank), None)
    if found is None:
        last = max((pod.rank for pod in pods if pod.rank is not None), default=0)
        raise ToolkitError(f"--rank {rank}: {release.name} has no such pod", hint=f"ranks: 0 to {last}")
    return found


def selector_of(release: Release) -> str:
    """Label selector of all its pods."""
    instance = labels_of(release.controllers[0])[INSTANCE_LABEL]
    return f"{CHART_LABEL}={release.chart},{INSTANCE_LABEL}={instance}"


def container_count(release: Release) -> int:
    return sum(len(items(at(body, "spec", "containers"))) for body in release.pods)


def _index(body: Object) -> tuple[int, ...]:
    labels = labels_of(body)
    return tuple(number for label in INDEX_LABELS if (number := whole_number(labels.get(label))) is not None)
