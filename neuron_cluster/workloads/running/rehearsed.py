"""The same causes from a rehearsal: the JSON document that ``workload rehearse --format json`` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from neuron_cluster.bounded_file import MAX_BYTES_OF_OBJECTS, read_bounded
from neuron_cluster.errors import ToolkitError
from neuron_cluster.workloads.running.cause import Cause, Stage, in_order
from neuron_cluster.workloads.running.diagnosis import LONGEST_EVENTS, Diagnosis, SeenEvent
from neuron_cluster.workloads.running.exit_code import meaning_of
from neuron_cluster.workloads.running.placement_causes import of_message

KUBECTL = "kubectl"
COMPLETED, FAILED = "Completed", "Failed"
STATES = {COMPLETED: "completed", FAILED: "failed"}
_EXIT = re.compile(r"(?P<container>\S+): exit code (?P<code>-?\d+)")
NODE_WORDS = {
    "NodeNotReady": "the node is NotReady: no pod is placed on it, and its pods are evicted",
    "DeletingNode": "the instance was terminated, and none has joined the cluster in its place",
    "Launched": "a replacement boots, and has not joined the cluster",
}
NODE_ADVICE = "wait for its replacement; the instances of a capacity block end with it, and none follows"
POD_ENDS = ("TaintManagerEviction", "PodGC", "Evicted")
MAKES_A_HINT = "`neuron-cluster workload rehearse CHART ENVIRONMENT --format json` prints one"


class RehearsedEvent(Struct, frozen=True):
    """One event of the document."""

    at: float
    source: str
    subject: str
    reason: str
    message: str = ""


class RehearsedWorkload(Struct, frozen=True):
    """What of the document decides."""

    workload: str
    ended: str
    why: str
    seconds: float
    events: tuple[RehearsedEvent, ...]

    @property
    def chart(self) -> str:
        """``neuron-training on trn1 of train-trn1`` begins with it."""
        return self.workload.partition(" ")[0]


def read_rehearsal(file: Path) -> RehearsedWorkload:
    """Raises ``ToolkitError`` for a file that is not such a document."""
    try:
        return msgspec.json.decode(read_bounded(file, MAX_BYTES_OF_OBJECTS), type=RehearsedWorkload)
    except OSError as error:
        raise ToolkitError(f"{file} cannot be read: {error.strerror}", hint=MAKES_A_HINT) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ToolkitError(f"{file} is not the JSON of a rehearsal: {error}", hint=MAKES_A_HINT) from error


def diagnose_rehearsal(rehearsed: RehearsedWorkload) -> Diagnosis:
    """A workload that completed has no causes, whatever it survived."""
    faults = tuple(
        SeenEvent(_time(event.at), f"fault {event.subject}", f"{event.reason} {event.message}".rstrip())
        for event in rehearsed.events
        if event.source == "fault"
    )
    return Diagnosis(
        state=STATES.get(rehearsed.ended, "not running"),
        causes=() if rehearsed.ended == COMPLETED else in_order(_causes(rehearsed)),
        looked_at={"events": len(rehearsed.events)},
        events=faults[-LONGEST_EVENTS:],
    )


def _causes(rehearsed: RehearsedWorkload) -> Iterator[Cause]:
    last = {(event.source, event.subject): event for event in rehearsed.events}
    ended = {event.subject for event in rehearsed.events if event.reason in POD_ENDS}
    for (source, subject), event in last.items():
        if source == "kueue" and event.reason != "Admitted":
            yield _queue(event)
        elif source == "node" and event.reason in NODE_WORDS:
            yield _cause(Stage.NODES, f"Node {subject}", event, NODE_WORDS[event.reason], NODE_ADVICE)
        elif source == "scheduler" and event.reason == "FailedScheduling" and subject not in ended:
            yield of_message(f"Pod {subject}", event.message, "LABELS", KUBECTL, _time(event.at))
        elif source == "jobset" and event.reason == FAILED:
            means = "the JobSet has failed, and starts no pods any more"
            yield _cause(Stage.CONTROLLER, f"JobSet {subject}", event, means, "remove the cause and install it again")
    yield from _programs(rehearsed)


def _queue(event: RehearsedEvent) -> Cause:
    evicted = event.reason == "Evicted" and "PodsReadyTimeout" in event.message
    means = "Kueue does not admit it: the quota is in use"
    if event.reason == "Evicted":
        means = "Kueue evicted it, and has not admitted it again"
    do = "raise count.desired of a node group of the queue, or the times of waitForPodsReady"
    return _cause(Stage.EVICTION if evicted else Stage.QUEUE, f"Workload of {event.subject}", event, means, do)


def _programs(rehearsed: RehearsedWorkload) -> Iterator[Cause]:
    """Containers that ended with an error in the last attempt."""
    starts = [number for number, event in enumerate(rehearsed.events) if event.reason == "Started"
              and event.source == "jobset"]  # fmt: skip
    for event in rehearsed.events[starts[-1] if starts else 0 :]:
        match = _EXIT.fullmatch(event.message) if event.source == "kubelet" and event.reason == "Exited" else None
        if match is None or int(match["code"]) == 0:
            continue
        meaning = meaning_of(int(match["code"]), rehearsed.chart)
        about, words = f"Pod {event.subject}, container {match['container']}", f"exit code {match['code']}"
        do = meaning.advice or "read the log: rehearse with --keep DIR"
        yield Cause(
            stage=Stage.PROGRAM,
            about=about,
            seen=words,
            means=f"{words}: {meaning.words}",
            do=(do,),
            since=_time(event.at),
        )


def _cause(stage: Stage, about: str, event: RehearsedEvent, means: str, do: str) -> Cause:
    seen = f"{event.reason}: {event.message}" if event.message else event.reason
    return Cause(stage=stage, about=about, seen=seen, means=means, do=(do,), since=_time(event.at))


def _time(seconds: float) -> str:
    """``1:02:03`` since the start of the rehearsal."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
