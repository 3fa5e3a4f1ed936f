"""kube-scheduler finds no node for pods of the release."""

from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.fields import items, text
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import conditions_of, place_of
from neuron_cluster.schedulers.kubernetes.running.scheduling_message import rejections
from neuron_cluster.schedulers.kubernetes.running.situation import (
    PENDING,
    Situation,
    event_words,
    last_seen,
    node_of,
    phase_of,
    selector_words,
)


def placement_causes(situation: Situation) -> Iterator[Cause]:
    release = situation.release
    for pod in release.pods:
        scheduled = conditions_of(pod).get("PodScheduled")
        if phase_of(pod) != PENDING or node_of(pod) or scheduled is None or scheduled.is_true:
            continue
        if scheduled.reason == "SchedulingGated":
            gates = ", ".join(str(each.get("name")) for each in items(pod["spec"].get("schedulingGates")))
            means = "a scheduling gate holds the pod back: Kueue removes its own when it admits the pod"
            do = (f"see the Workload: `{situation.here} get workloads`",)
            about = place_of(pod)
            yield Cause(stage=Stage.PLACEMENT, about=about, seen=f"gates: {gates}", means=means, do=do)
            continue
        yield of_message(place_of(pod), scheduled.message, selector_words(pod), situation.here, scheduled.since)
    if not release.pods:
        yield from _of_earlier_pods(situation)


def of_message(about: str, message: str, selector: str, kubectl: str, since: str | None) -> Cause:
    """The first reason is what the cause means; the others follow in ``do``."""
    found = rejections(message, selector, kubectl)
    others = [f"{each.count} {each.seen}" if each.count is not None else each.seen for each in found[1:]]
    also = (f"the other nodes: {', '.join(others)}",) if others else ()
    do = (found[0].advice, *also)
    return Cause(stage=Stage.PLACEMENT, about=about, seen=message, means=found[0].means, do=do, since=since)


def _of_earlier_pods(situation: Situation) -> Iterator[Cause]:
    """Kueue deletes pods that are not Ready in time; their events stay for an hour."""
    event = next(situation.events("Pod", "FailedScheduling"), None)
    if event is not None:
        selector = ",".join(f"{key}={value}" for each in situation.release.selectors[:1] for key, value in each.items())
        message = text(event.get("message")) or event_words(event)
        yield of_message("an earlier pod", message, selector, situation.here, last_seen(event))
