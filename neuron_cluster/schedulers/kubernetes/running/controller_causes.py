"""A controller of the release has failed, or makes no pods."""

from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.fields import at, text
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    Object,
    conditions_of,
    created_at,
    holds,
    name_of,
    place_of,
)
from neuron_cluster.schedulers.kubernetes.running.controller_kind import (
    end_of,
    has_failed,
    is_finished,
    is_stopped,
    kind_of,
)
from neuron_cluster.schedulers.kubernetes.running.situation import Situation, event_words, last_seen

CREATED_WITHIN_SECONDS = 60
"""A controller that has made nothing by then does not run."""
WITH_CONTROLLER = ("JobSet", "MPIJob", "PyTorchJob", "LeaderWorkerSet")
"""Kinds whose controllers are add-ons."""
CONTROLLER_PODS = "jobset|lws|mpi-operator|training-operators"
"""A pattern of the names of their pods."""
MAKERS = ("Job", "ReplicaSet", "StatefulSet", "JobSet", "MPIJob", "PyTorchJob", "LeaderWorkerSet")
_CREATE_ROWS = (
    ("violates PodSecurity", "the Pod Security level of the namespace rejects the pods",
     "set pod_security of the namespace in the environment file to the level that the chart needs"),
    ("exceeded quota", "a ResourceQuota of the namespace is used up", "see it: `kubectl get resourcequota`"),
    ("webhook", "an admission webhook rejects the pods or does not answer", "see whether its controller runs"),
    ("not found", "an object that the pods need does not exist", "create it: the message names it"),
)  # fmt: skip
_FAILED_ADVICE = {
    "DeadlineExceeded": "raise timeouts.jobSeconds; it continues from its last checkpoint when it is installed again",
    "ReachedMaxRestarts": "read the logs of the first failure; restarts.max is the limit",
}


def controller_causes(situation: Situation) -> Iterator[Cause]:
    for body in situation.release.controllers:
        if is_finished(body):
            yield from _ended(body, situation)
            continue
        conditions = conditions_of(body)
        progressing = conditions.get("Progressing")
        if progressing is not None and progressing.reason == "ProgressDeadlineExceeded":
            means = "the Deployment is not Ready within progressDeadlineSeconds; it continues to try"
            do = (f"`{situation.here} describe deployment {name_of(body)}`",)
            about = place_of(body)
            seen, since = progressing.text, progressing.since
            yield Cause(stage=Stage.CONTROLLER, about=about, seen=seen, means=means, do=do, since=since)
    if not situation.release.pods:
        yield from _no_pods(situation)


def _ended(body: Object, situation: Situation) -> Iterator[Cause]:
    end = end_of(body)
    if end is None or not has_failed(body):
        return
    kind = str(body.get("kind"))
    yield Cause(
        stage=Stage.CONTROLLER,
        about=place_of(body),
        seen=end.text,
        means=f"the {kind} has failed, and starts no pods any more",
        do=(
            _FAILED_ADVICE.get(end.reason, "remove the cause, then uninstall and install the release again"),
            f"`{situation.here} describe {kind_of(body).resource} {name_of(body)}`",
        ),
        since=end.since,
    )


def _no_pods(situation: Situation) -> Iterator[Cause]:
    for kind in MAKERS:
        event = next(situation.events(kind, "FailedCreate", "JobCreationFailed", "MPIJobFailed"), None)
        if event is not None:
            message = text(event.get("message")) or ""
            found = next((row for row in _CREATE_ROWS if row[0] in message), None)
            means = found[1] if found is not None else "the API server rejects the pods of the release"
            do = found[2] if found is not None else "read the message of the event"
            yield Cause(
                stage=Stage.CONTROLLER,
                about=f"{kind} {at(event, 'involvedObject', 'name')}",
                seen=event_words(event),
                means=means,
                do=(do,),
                since=last_seen(event),
            )
            return
    yield from _idle(situation)


def _idle(situation: Situation) -> Iterator[Cause]:
    """A JobSet, MPIJob, PyTorchJob or LeaderWorkerSet that was to start, and whose controller did nothing."""
    for body in situation.release.controllers:
        kind = str(body.get("kind"))
        is_old = situation.state.seconds_since(created_at(body)) > CREATED_WITHIN_SECONDS
        made = situation.release.jobs or holds(body, "StartupPolicyInProgress") or at(body, "status", "replicas")
        if kind in WITH_CONTROLLER and is_old and not (is_stopped(body) or is_finished(body) or made):
            yield Cause(
                stage=Stage.CONTROLLER,
                about=place_of(body),
                seen="it is not suspended, and has no Job and no pod",
                means=f"the controller of {kind} objects does not work on it",
                do=(f"see whether it runs: `{situation.kubectl} get pods -A | grep -E '{CONTROLLER_PODS}'`",),
                since=created_at(body),
            )
