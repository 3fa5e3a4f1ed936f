"""Why a rehearsed workload does not run, in the causes that a cluster has: from the JSON of the rehearsal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.bounded_file import MAX_BYTES_OF_OBJECTS, read_bounded
from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.outcome import COMPLETED
from neuron_cluster.rehearsal.timeline import Event, Source, duration
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage, in_order
from neuron_cluster.schedulers.kubernetes.running.diagnosis import LONGEST_EVENTS, Diagnosis, SeenEvent
from neuron_cluster.schedulers.kubernetes.running.exit_code import meaning_of
from neuron_cluster.schedulers.kubernetes.running.placement_causes import of_message

KUBECTL = "kubectl"
FAILED = "Failed"
STATES = {COMPLETED: "completed", FAILED: "failed"}
_EXIT = re.compile(r"(?P<container>\S+): exit code (?P<code>-?\d+)")
NODE_WORDS = {
    "NodeNotReady": "the node is NotReady: no pod is placed on it, and its pods are evicted",
    "DeletingNode": "the instance was terminated, and none has joined the cluster in its place",
    "Launched": "a replacement boots, and has not joined the cluster",
}
NODE_ADVICE = "wait for its replacement; the instances of a capacity block end with it, and none follows"
PULL_ADVICE = "wait; image_cache and a pre-pulled image shorten it"
NO_CLAIM = "persistentvolumeclaim"
POD_ENDS = ("TaintManagerEviction", "PodGC", "Evicted")
POD_RUNS = ("Started", "ContainerStarted", "Ready", "Succeeded")
HOSTS = (Source.SAGEMAKER, Source.SLURM)
"""Schedulers whose jobs have hosts in the place of pods."""
ATTEMPTS = ("RUNNING", "Starting", "Restarting")
"""Events with which an attempt of such a job begins."""
_EXIT_OF_HOST = re.compile(r"exit code (?P<code>\d+)")
LAUNCHER = "neuron-training"
"""The chart whose launcher runs on these hosts: its exit codes have a meaning."""
CONTROLLERS = {Source.JOB_SET: "JobSet", Source.JOB: "Job", Source.DEPLOYMENT: "Deployment"}
KEEP_ADVICE = "`neuron-cluster workload rehearse --keep DIR` keeps the logs"
MAKES_A_HINT = "`neuron-cluster workload rehearse CHART ENVIRONMENT --format json` prints one"


class RehearsedWorkload(Struct, frozen=True):
    """The fields of the document that decide."""

    workload: str
    ended: str
    why: str
    seconds: float
    events: tuple[Event, ...]

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
        SeenEvent(duration(event.at), f"fault {event.subject}", f"{event.reason} {event.message}".rstrip())
        for event in rehearsed.events
        if event.source is Source.FAULT
    )
    return Diagnosis(
        state=STATES.get(rehearsed.ended, "not running"),
        causes=() if rehearsed.ended == COMPLETED else in_order(_causes(rehearsed)),
        looked_at={"events": len(rehearsed.events)},
        events=faults[-LONGEST_EVENTS:],
    )


def _causes(rehearsed: RehearsedWorkload) -> Iterator[Cause]:
    """Yields causes from the last report about each object."""
    if any(event.source in HOSTS for event in rehearsed.events):
        yield from _of_hosts(rehearsed)
        return
    last = {(event.source, event.subject): event for event in rehearsed.events}
    ended = {event.subject for event in rehearsed.events if event.reason in POD_ENDS}
    controllers = [event for event in last.values() if event.source in CONTROLLERS and event.reason == FAILED]
    for (source, subject), event in last.items():
        match source:
            case Source.QUEUE if event.reason in ("Pending", "Evicted"):
                yield _queue(event)
            case Source.NODE if event.reason in NODE_WORDS:
                yield _cause(Stage.NODES, f"Node {subject}", event, NODE_WORDS[event.reason], NODE_ADVICE)
            case Source.SCHEDULER if event.reason == "FailedScheduling" and subject not in ended:
                found = of_message(f"Pod {subject}", event.message, "LABELS", KUBECTL, duration(event.at))
                yield replace(found, stage=Stage.CLAIM) if NO_CLAIM in event.message else found
            case Source.KUBELET if event.reason == "Pulling":
                yield _cause(Stage.IMAGE, f"Pod {subject}", event, "the image is pulled", PULL_ADVICE)
            case Source.KUBELET if event.reason in ("NotReady", "Unhealthy"):
                means = "the program runs and its probe does not succeed: it still starts, or it hangs"
                yield _cause(Stage.READINESS, f"Pod {subject}", event, means, KEEP_ADVICE)
    # A JobSet names the failure of its Jobs.
    for event in [each for each in controllers if each.source is Source.JOB_SET] or controllers:
        kind = CONTROLLERS[event.source]
        means = f"the {kind} has failed, and starts no pods any more"
        yield _cause(Stage.CONTROLLER, f"{kind} {event.subject}", event, means, "remove the cause and install it again")
    yield from _programs(rehearsed, last)


def _of_hosts(rehearsed: RehearsedWorkload) -> Iterator[Cause]:
    """Yields causes of a job without pods: programs that failed in the last attempt, and the end of the job."""
    on_hosts = [event for event in rehearsed.events if event.source in HOSTS]
    started = [at for at, event in enumerate(on_hosts) if event.reason in ATTEMPTS]
    for event in on_hosts[started[-1] if started else 0 :]:
        match = _EXIT_OF_HOST.fullmatch(event.message) if event.reason == "Exited" else None
        if match is not None and int(match["code"]):
            meaning = meaning_of(int(match["code"]), LAUNCHER)
            advice = (*([meaning.advice] if meaning.advice else []), KEEP_ADVICE)
            means = f"{event.message}: {meaning.text}"
            yield Cause(
                stage=Stage.PROGRAM,
                about=f"host {event.subject}",
                seen=event.message,
                means=means,
                do=advice,
                since=duration(event.at),
            )
    yield Cause(
        stage=Stage.CONTROLLER,
        about=rehearsed.workload,
        seen=rehearsed.why or rehearsed.ended,
        means="the job has ended, and does not start again by itself",
        do=("remove the cause and submit it again: it resumes from its newest checkpoint",),
        since=duration(rehearsed.seconds),
    )


def _queue(event: Event) -> Cause:
    about, do = f"Workload of {event.subject}", "raise count.desired of a node group of the queue, or wait"
    if "stopped" in event.message:
        means = "the ClusterQueue was stopped: it admits nothing"
        return _cause(Stage.QUEUE, about, event, means, "start the queue: spec.stopPolicy None")
    if "no TAS flavor" in event.message:
        means = "the nodes of the queue have a network topology: Kueue admits only pods that request devices"
        return _cause(Stage.QUEUE, about, event, means, "leave the queue out (--queue '')")
    if "maximum capacity" in event.message:
        means = "it requests more than its queue can ever admit: the quota, with what it may borrow"
        return _cause(Stage.QUEUE, about, event, means, "request fewer nodes or devices, or raise the quota (`teams`)")
    if "PodsReadyTimeout" in event.message:
        means = "its pods were not Ready within the time of waitForPodsReady"
        return _cause(Stage.EVICTION, about, event, means, "find out why: the other causes, images and nodes first")
    if event.reason == "Evicted":
        return _cause(Stage.QUEUE, about, event, "Kueue evicted it, and has not admitted it again", do)
    return _cause(Stage.QUEUE, about, event, "Kueue does not admit it: the quota is in use", do)


def _programs(rehearsed: RehearsedWorkload, last: dict[tuple[Source, str], Event]) -> Iterator[Cause]:
    """Containers that ended with an error in the last attempt, and did not start again."""
    attempts = [
        at for at, each in enumerate(rehearsed.events) if (each.source, each.reason) == (Source.JOB_SET, "Started")
    ]
    for event in rehearsed.events[attempts[-1] if attempts else 0 :]:
        match = _EXIT.fullmatch(event.message) if event.source is Source.KUBELET and event.reason == "Exited" else None
        if match is None or int(match["code"]) == 0 or last[Source.KUBELET, event.subject].reason in POD_RUNS:
            continue
        meaning, exited = meaning_of(int(match["code"]), rehearsed.chart), f"exit code {match['code']}"
        yield Cause(
            stage=Stage.PROGRAM,
            about=f"Pod {event.subject}, container {match['container']}",
            seen=exited,
            means=f"{exited}: {meaning.text}",
            do=(*([meaning.advice] if meaning.advice else []), KEEP_ADVICE),
            since=duration(event.at),
        )


def _cause(stage: Stage, about: str, event: Event, means: str, do: str) -> Cause:
    seen = f"{event.reason}: {event.message}" if event.message else event.reason
    return Cause(stage=stage, about=about, seen=seen, means=means, do=(do,), since=duration(event.at))
