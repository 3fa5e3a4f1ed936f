"""Why a release does not run: its causes, the first one first, and what was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from local_kubernetes.model.fields import at
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, in_order
from neuron_cluster.schedulers.kubernetes.running.claim_causes import claim_causes
from neuron_cluster.schedulers.kubernetes.running.cluster_state import holds
from neuron_cluster.schedulers.kubernetes.running.container_causes import container_causes
from neuron_cluster.schedulers.kubernetes.running.controller_causes import controller_causes
from neuron_cluster.schedulers.kubernetes.running.controller_kind import expected_pods, has_failed, is_finished
from neuron_cluster.schedulers.kubernetes.running.node_causes import node_causes
from neuron_cluster.schedulers.kubernetes.running.placement_causes import placement_causes
from neuron_cluster.schedulers.kubernetes.running.queue_causes import queue_causes
from neuron_cluster.schedulers.kubernetes.running.release import Release
from neuron_cluster.schedulers.kubernetes.running.situation import Situation, event_words, last_seen
from neuron_cluster.schedulers.kubernetes.running.stop_causes import stop_causes

LONGEST_EVENTS = 5


class SeenEvent(Struct, frozen=True):
    """``at`` is a time of the cluster, or of a rehearsal."""

    at: str | None
    about: str
    words: str


class Diagnosis(Struct, frozen=True, kw_only=True):
    """``looked_at`` counts the objects by kind; ``events`` are the last warnings; ``forbidden`` could not be read."""

    state: str
    causes: tuple[Cause, ...]
    looked_at: dict[str, int]
    events: tuple[SeenEvent, ...] = ()
    forbidden: tuple[str, ...] = ()


def diagnose(situation: Situation) -> Diagnosis:
    """Causes of a release that has completed are none: what happened before no longer matters."""
    release = situation.release
    state = state_of(release)
    found = [
        cause
        for find in (
            stop_causes,
            queue_causes,
            claim_causes,
            node_causes,
            placement_causes,
            container_causes,
            controller_causes,
        )
        for cause in find(situation)
    ]
    return Diagnosis(
        state=state,
        causes=() if state == "completed" else in_order(found),
        looked_at=dict(Counter(str(body.get("kind")) for body in situation.state.objects)),
        events=tuple(_warnings(situation)),
        forbidden=situation.state.forbidden,
    )


def state_of(release: Release) -> str:
    """``completed``, ``failed``, ``running`` (all pods are Ready), ``starting`` or ``not running`` (no pod)."""
    if any(has_failed(body) for body in release.controllers):
        return "failed"
    jobs = [body for body in release.controllers if body.get("kind") in ("JobSet", "MPIJob", "PyTorchJob", "Job")]
    if jobs and len(jobs) == len(release.controllers) and all(is_finished(body) for body in jobs):
        return "completed"
    ready = [pod for pod in release.pods if holds(pod, "Ready")]
    if ready and len(ready) >= sum(map(expected_pods, release.controllers)):
        return "running"
    return "starting" if release.pods else "not running"


def _warnings(situation: Situation) -> Iterator[SeenEvent]:
    events = [
        event
        for event in situation.state.of_kind("Event")
        if event.get("type") == "Warning" and situation.release.is_of(str(at(event, "involvedObject", "name")))
    ]
    latest = sorted(events, key=lambda event: last_seen(event) or "", reverse=True)
    for event in latest[:LONGEST_EVENTS]:
        about = f"{at(event, 'involvedObject', 'kind')} {at(event, 'involvedObject', 'name')}"
        yield SeenEvent(last_seen(event), about, event_words(event))
