"""The release was stopped: it is suspended, deactivated, or scaled to 0."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from local_kubernetes.model.fields import at
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import (
    Object,
    annotations_of,
    conditions_of,
    holds,
    name_of,
    place_of,
)
from neuron_cluster.schedulers.kubernetes.running.controller_kind import PAUSED, is_finished, is_stopped, kind_of
from neuron_cluster.schedulers.kubernetes.running.situation import Situation


def stop_causes(situation: Situation) -> Iterator[Cause]:
    inactive = [body for body in situation.release.workloads if at(body, "spec", "active") is False]
    for workload in inactive:
        evicted = conditions_of(workload).get("Evicted")
        text = f"; {evicted.text}" if evicted is not None else ""
        yield Cause(
            stage=Stage.STOPPED,
            about=place_of(workload),
            seen=f"spec.active is false{text}",
            means=_who_deactivated(workload),
            do=(_start_again(situation, "workloads.kueue.x-k8s.io", workload, {"spec": {"active": True}}),),
            since=evicted.since if evicted is not None else None,
        )
    for body in situation.release.controllers if not inactive else ():
        if not is_finished(body):
            yield from _stopped(body, situation)


def _who_deactivated(workload: Object) -> str:
    evicted = conditions_of(workload).get("Evicted")
    if evicted is not None and "RequeuingLimitExceeded" in evicted.reason:
        return "Kueue gave up: the pods were not Ready in time, as often as waitForPodsReady permits"
    return "the Workload was deactivated, as `neuron-cluster workload stop` does: Kueue does not admit it"


def _stopped(body: Object, situation: Situation) -> Iterator[Cause]:
    """Kueue suspends what is in a queue: that does not count as one."""
    kind = kind_of(body)
    value = at(body, *kind.stop_path)
    if not is_stopped(body) or (situation.release.queue and not kind.is_server):
        return
    suspended = conditions_of(body).get("Suspended") if holds(body, "Suspended") else None
    yield Cause(
        stage=Stage.STOPPED,
        about=place_of(body),
        seen=f"{'.'.join(kind.stop_path)} is {str(value).lower()}",
        means=f"{'scaled to 0' if kind.is_server else 'suspended'}, as `neuron-cluster workload stop` does",
        do=(_start_again(situation, kind.resource, body, kind.start_patch(body)), *_unpause(body, situation)),
        since=suspended.since if suspended is not None else None,
    )


def _unpause(body: Object, situation: Situation) -> Iterator[str]:
    for each in situation.state.of_kind("ScaledObject"):
        if at(each, "spec", "scaleTargetRef", "name") == name_of(body) and PAUSED in annotations_of(each):
            yield f"then: `{situation.here} annotate scaledobjects.keda.sh {name_of(each)} {PAUSED}-`"


def _start_again(situation: Situation, resource: str, body: Object, patch: dict[str, Any]) -> str:
    written = json.dumps(patch)
    return f"start it again: `{situation.here} patch {resource} {name_of(body)} --type merge --patch '{written}'`"
