"""The status of a release: where it is between the queue and its last step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from local_kubernetes.model.fields import at, items, text, whole_number
from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from local_kubernetes.model.objects import labels_of
from neuron_cluster.schedulers.kubernetes.running.cluster_state import conditions_of, holds, name_of
from neuron_cluster.schedulers.kubernetes.running.container_causes import states_of
from neuron_cluster.schedulers.kubernetes.running.controller_kind import expected_pods
from neuron_cluster.schedulers.kubernetes.running.diagnosis import diagnose
from neuron_cluster.schedulers.kubernetes.running.log_progress import LogProgress
from neuron_cluster.schedulers.kubernetes.running.release import Release
from neuron_cluster.schedulers.kubernetes.running.situation import Situation, is_terminating, node_of, phase_of

VISIBILITY = "visibility.kueue.x-k8s.io"


class Admission(Struct, frozen=True):
    """``position`` in the queue, from 0; None where the cluster does not report it."""

    queue: str
    is_admitted: bool
    since: str | None
    pending: int | None
    position: int | None = None


class Restarts(Struct, frozen=True):
    """Restarts of a job that count towards the limit, and those that do not; of a server: restarts of containers."""

    counted: int
    uncounted: int


class ReleaseStatus(Struct, frozen=True, kw_only=True):
    """``pods`` by state; ``nodes`` with their instance types; ``first_cause`` is that of `workload why`."""

    state: str
    age_seconds: float
    admission: Admission | None
    expected_pods: int
    pods: dict[str, int]
    nodes: dict[str, str]
    attempt: int
    restarts: Restarts
    exit_codes: dict[str, int]
    progress: LogProgress | None
    first_cause: str | None


def status_of(situation: Situation, position: int | None, progress: LogProgress | None) -> ReleaseStatus:
    release, state = situation.release, situation.state
    diagnosis = diagnose(situation)
    restarts = restarts_of(release)
    return ReleaseStatus(
        state=diagnosis.state,
        age_seconds=state.seconds_since(release.created_at),
        admission=_admission(situation, position),
        expected_pods=sum(map(expected_pods, release.controllers)),
        pods=dict(Counter(_states(release))),
        nodes=nodes_of(situation),
        attempt=restarts.counted + restarts.uncounted + 1,
        restarts=restarts,
        exit_codes=exit_codes_of(release),
        progress=progress,
        first_cause=diagnosis.causes[0].means if diagnosis.causes else None,
    )


def restarts_of(release: Release) -> Restarts:
    """JobSets count by themselves; other kinds by the containers of their pods."""
    job_sets = [body for body in release.controllers if body.get("kind") == "JobSet"]
    if not job_sets:
        counts = (whole_number(at(state.body, "restartCount")) or 0 for pod in release.pods for state in states_of(pod))
        return Restarts(sum(counts), 0)
    counted = sum(whole_number(at(body, "status", "restartsCountTowardsMax")) or 0 for body in job_sets)
    total = sum(whole_number(at(body, "status", "restarts")) or 0 for body in job_sets)
    return Restarts(counted, total - counted)


def nodes_of(situation: Situation) -> dict[str, str]:
    """Nodes with pods of the release, and their instance types."""
    types = {name_of(body): labels_of(body).get(INSTANCE_TYPE_LABEL, "") for body in situation.state.of_kind("Node")}
    used = sorted({node_of(pod) for pod in situation.release.pods if node_of(pod)})
    return {name: types.get(name, "") for name in used}


def visibility_path(release: Release) -> str:
    """Where Kueue lists the pending Workloads of a LocalQueue in order."""
    return f"/apis/{VISIBILITY}/v1beta2/namespaces/{release.namespace}/localqueues/{release.queue}/pendingworkloads"


def position_in(listed: object, release: Release) -> int | None:
    """Returns the position of the release's first Workload in a list of pending Workloads; None without one."""
    own = {name_of(body) for body in release.workloads}
    pending = (each for each in items(at(listed, "items")) if name_of(each) in own)
    positions = (whole_number(at(each, "positionInLocalQueue")) for each in pending)
    return next((position for position in positions if position is not None), None)


def _admission(situation: Situation, position: int | None) -> Admission | None:
    release = situation.release
    if not release.queue:
        return None
    admitted = [condition for body in release.workloads if (condition := conditions_of(body).get("Admitted"))]
    local = situation.state.named("LocalQueue", release.queue)
    return Admission(
        queue=release.queue,
        is_admitted=bool(release.workloads) and all(holds(body, "Admitted") for body in release.workloads),
        since=next((condition.since for condition in admitted if condition.is_true), None),
        pending=whole_number(at(local, "status", "pendingWorkloads")),
        position=position,
    )


def _states(release: Release) -> Iterator[str]:
    """``Ready``, ``Terminating``, the reason that a container waits for, or the phase."""
    for pod in release.pods:
        waiting = (text(at(state.body, "state", "waiting", "reason")) for state in states_of(pod))
        if is_terminating(pod):
            yield "Terminating"
        elif holds(pod, "Ready"):
            yield "Ready"
        else:
            yield next((reason for reason in waiting if reason), phase_of(pod))


def exit_codes_of(release: Release) -> dict[str, int]:
    """Returns the exit code of the last container that ended, by pod."""
    return dict(_exit_codes(release))


def _exit_codes(release: Release) -> Iterator[tuple[str, int]]:
    for pod in release.pods:
        for state in states_of(pod):
            ended = at(state.body, "state", "terminated") or at(state.body, "lastState", "terminated")
            code = whole_number(at(ended, "exitCode"))
            if code is not None and not state.is_init:
                yield name_of(pod), code
