"""Containers of placed pods that wait, fail, or are not Ready."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from local_kubernetes.model.fields import at, items, text, whole_number
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    Object,
    conditions_of,
    created_at,
    name_of,
    place_of,
)
from neuron_cluster.schedulers.kubernetes.running.exit_code import meaning_of
from neuron_cluster.schedulers.kubernetes.running.ranked_pods import current_pods
from neuron_cluster.schedulers.kubernetes.running.situation import (
    FAILED,
    PENDING,
    RUNNING,
    Situation,
    event_words,
    is_terminating,
    last_seen,
    node_of,
    phase_of,
)

PULLS = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable")
CONFIGURATION = ("CreateContainerConfigError", "CreateContainerError", "RunContainerError")
SANDBOX = ("FailedCreatePodSandBox", "FailedMount", "FailedAttachVolume", "FailedPrepareDynamicResources")
_PULL_ROWS = (
    (r"not found|manifest unknown|does not exist", "the image or its tag does not exist in the registry"),
    (r"401|403|denied|unauthori[sz]ed|no basic auth", "the registry denies access to the image"),
    (r"429|toomanyrequests|rate exceeded", "the registry limits the number of pulls"),
    (r"no space left|disk", "the disk of the node has no space for the image"),
    (r"timeout|deadline|no such host|dial tcp|connection refused", "the node cannot reach the registry"),
)
_PULL_ADVICE = {
    _PULL_ROWS[0][1]: "correct image.repository, image.tag or image.digest and install the release again",
    _PULL_ROWS[1][1]: "check the policy of the node role and of the ECR repository",
    _PULL_ROWS[2][1]: "enable image_cache, or pull from a private repository",
    _PULL_ROWS[3][1]: "raise root_volume.size_gib of the node group",
    _PULL_ROWS[4][1]: "check NAT gateways, VPC endpoints and image_cache: `neuron-cluster validate`",
}


class ContainerState(Struct, frozen=True):
    """One entry of the container statuses."""

    name: str
    body: Object
    is_init: bool

    @property
    def about(self) -> str:
        return f"init container {self.name}" if self.is_init else f"container {self.name}"


def container_causes(situation: Situation) -> Iterator[Cause]:
    for pod in current_pods(situation.release):
        states = states_of(pod)
        for state in states:
            yield from _of_container(pod, state, situation)
        if phase_of(pod) == PENDING and node_of(pod) and not is_terminating(pod):
            yield from _not_started(pod, situation)
        elif phase_of(pod) == FAILED and not states:
            yield _failed(pod, situation)
        elif phase_of(pod) == RUNNING and not is_terminating(pod):
            yield from _not_ready(pod, situation)


def states_of(pod: Object) -> list[ContainerState]:
    """Init containers first: they start first."""
    return [
        ContainerState(str(at(body, "name")), body, place == "initContainerStatuses")
        for place in ("initContainerStatuses", "containerStatuses")
        for body in items(at(pod, "status", place))
    ]


def _of_container(pod: Object, state: ContainerState, situation: Situation) -> Iterator[Cause]:
    waiting = at(state.body, "state", "waiting")
    reason, message = text(at(waiting, "reason")) or "", text(at(waiting, "message")) or ""
    about = f"{place_of(pod)}, {state.about}"
    if reason in PULLS:
        yield _pull(about, f"{reason}: {message}", _pull_message(pod, message, situation), created_at(pod))
    elif reason in CONFIGURATION:
        yield Cause(
            stage=Stage.CONTAINER,
            about=about,
            seen=f"{reason}: {message}",
            means="the container cannot be created: a ConfigMap, a Secret, a device or its command is missing",
            do=(f"`{situation.here} describe pod {name_of(pod)}`",),
            since=created_at(pod),
        )
    elif reason == "CrashLoopBackOff":
        yield from _ended(pod, state, at(state.body, "lastState", "terminated"), situation)
    else:
        yield from _ended(pod, state, at(state.body, "state", "terminated"), situation)


def _pull_message(pod: Object, message: str, situation: Situation) -> str:
    """The back-off names no reason; the event of the failed pull does."""
    event = situation.event_about(pod, "Failed")
    return message if event is None else f"{message} {text(event.get('message'))}"


def _pull(about: str, seen: str, message: str, since: str | None) -> Cause:
    means = next((row[1] for row in _PULL_ROWS if re.search(row[0], message, re.IGNORECASE)), "the image is not pulled")
    do = _PULL_ADVICE.get(means, "read the events of the pod")
    shown = message if "Back-off" in seen and message.strip() else seen
    return Cause(stage=Stage.IMAGE, about=about, seen=shown.strip(), means=means, do=(do,), since=since)


def _ended(pod: Object, state: ContainerState, ended: object, situation: Situation) -> Iterator[Cause]:
    """A container that ended with an error; what it printed as its end follows."""
    code = whole_number(at(ended, "exitCode"))
    if code is None or code == 0:
        return
    chart = situation.release.chart if not state.is_init else ""
    reason = text(at(ended, "reason")) or ""
    meaning = meaning_of(code, chart, reason)
    last_words = (text(at(ended, "message")) or "").strip().splitlines()[-1:]
    restarts = whole_number(at(state.body, "restartCount")) or 0
    previous = " --previous" if at(state.body, "state", "terminated") is None else ""
    log = f"`{situation.here} logs {name_of(pod)} -c {state.name}{previous} --tail=50`"
    seen = [f"exit code {code}", *([reason] if reason not in ("", "Error") else []), *last_words]
    yield Cause(
        stage=Stage.PROGRAM,
        about=f"{place_of(pod)}, {state.about}",
        seen=", ".join(seen) + (f"; restarted {restarts} times" if restarts else ""),
        means=f"exit code {code}: {meaning.text}",
        do=tuple(each for each in (meaning.advice, log) if each),
        since=text(at(ended, "finishedAt")),
    )


def _failed(pod: Object, situation: Situation) -> Cause:
    """Kubernetes ended the pod itself: an eviction, a node that shut down."""
    reason, message = text(at(pod, "status", "reason")) or "Failed", text(at(pod, "status", "message")) or ""
    disruption = conditions_of(pod).get("DisruptionTarget")
    return Cause(
        stage=Stage.PROGRAM,
        about=place_of(pod),
        seen=f"{reason}: {message}" if message else reason,
        means=f"Kubernetes ended the pod ({disruption.reason if disruption is not None else reason})",
        do=(f"`{situation.here} describe pod {name_of(pod)}`",),
        since=disruption.since if disruption is not None else None,
    )


def _not_started(pod: Object, situation: Situation) -> Iterator[Cause]:
    event = situation.event_about(pod, *SANDBOX)
    started = [state for state in states_of(pod) if at(state.body, "state", "running") is not None]
    waits = [text(at(state.body, "state", "waiting", "reason")) for state in states_of(pod)]
    if event is not None:
        yield Cause(
            stage=Stage.VOLUMES,
            about=place_of(pod),
            seen=event_words(event),
            means="a volume, the network or a device of the pod is not ready: no container starts",
            do=(f"`{situation.here} describe pod {name_of(pod)}`", "check the claim, its CSI driver and the add-ons"),
            since=last_seen(event),
        )
    elif any(reason in (*PULLS, *CONFIGURATION, "CrashLoopBackOff") for reason in waits):
        return
    elif started:
        names = ", ".join(state.name for state in started)
        means = "an init container runs: the pod waits for it"
        do = (f"`{situation.here} logs {name_of(pod)} -c {started[0].name} --tail=20`",)
        about, seen = place_of(pod), f"{names} runs"
        yield Cause(stage=Stage.CONTAINER, about=about, seen=seen, means=means, do=do, since=created_at(pod))
    elif (pulling := situation.event_about(pod, "Pulling")) is not None:
        means = "the image is pulled: Neuron images have several GB, and take minutes on a new node"
        do = ("wait; image_cache and a pre-pulled image shorten it",)
        about, seen = place_of(pod), event_words(pulling)
        yield Cause(stage=Stage.IMAGE, about=about, seen=seen, means=means, do=do, since=last_seen(pulling))


def _not_ready(pod: Object, situation: Situation) -> Iterator[Cause]:
    ready = conditions_of(pod).get("Ready")
    running = [state for state in states_of(pod) if at(state.body, "state", "running") is not None]
    if ready is None or ready.is_true or not running:
        return
    event = situation.event_about(pod, "Unhealthy")
    yield Cause(
        stage=Stage.READINESS,
        about=place_of(pod),
        seen=f"Running, not Ready: {ready.message}" + (f"; {event_words(event)}" if event is not None else ""),
        means="the program runs and its probe does not succeed: it still starts (compiles, loads), or it hangs",
        do=(f"`{situation.here} logs {name_of(pod)} --tail=50`",),
        since=text(at(running[0].body, "state", "running", "startedAt")),
    )
