"""The outcome of a rehearsal: the end of the workload, losses, restarts, and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from neuron_cluster.rehearsal.timeline import Event, Source
from neuron_cluster.rehearsal.trainers import Trainer

COMPLETED, FAILED, UNFINISHED = "Completed", "Failed", "Unfinished"
NOT_CAUSED = "NotCaused"
"""The reason of the event of a fault that did not happen."""


class NodeUse(Struct, frozen=True):
    """One instance that had a pod, from its launch to its end, in seconds of the rehearsal."""

    name: str
    started_at: float
    ended_at: float


class Progress(Struct, frozen=True):
    """The steps of a training, and those that were computed again."""

    steps: int
    repeated_steps: int
    most_repeated_steps: int
    """After one restart."""
    checkpoints: int
    lost_checkpoints: int
    """Complete checkpoints that a later attempt did not find."""


class Requests(Struct, frozen=True):
    """The requests that a client sent to a server after the first response, and the seconds in which they failed."""

    sent: int
    failed: int
    outages: int
    longest_outage: float


class MissedFault(Struct, frozen=True):
    """A fault of the command line that did not happen."""

    fault: str
    why: str


class Outcome(Struct, frozen=True, kw_only=True):
    """``ended`` is Completed, Failed or Unfinished; ``seconds`` are those of the rehearsal; ``usd`` is None without a
    known price."""

    ended: str
    why: str
    seconds: float
    progress: Progress | None
    """None where nothing is trained."""
    requests: Requests | None
    """None where nothing is served."""
    counted_restarts: int
    uncounted_restarts: int
    nodes: tuple[NodeUse, ...]
    usd: float | None
    events: tuple[Event, ...]
    not_modelled: tuple[str, ...]
    trainer: Trainer | None = None
    """In the place of the user's own; None where that one ran, or nothing is trained."""
    missed_faults: tuple[MissedFault, ...] = ()
    replaced_programs: tuple[str, ...] = ()
    """Programs that were replaced."""
    files: tuple[str, ...] = ()
    """Files of this machine that claims and buckets had at the start."""

    @property
    def node_hours(self) -> float:
        return sum(node.ended_at - node.started_at for node in self.nodes) / 3600


def progress_of(events: Iterable[Event]) -> Progress:
    """Counts the reports of the trainer."""
    done = most = repeated = worst = saved = lost = newest = 0
    for event in (each for each in events if each.source is Source.PROGRAM):
        step = int(event.message.partition(" ")[2].partition(",")[0]) if event.message.startswith("step ") else 0
        match event.reason:
            case "Resumed":
                repeated += max(0, done - step)
                worst = max(worst, done - step)
                lost += step < newest
                done = step
            case "Step":
                done = step
                most = max(most, done)
            case "Saved":
                saved += 1
                newest = step
    return Progress(most, repeated, worst, saved, lost)


def requests_of(events: Iterable[Event], end: float) -> Requests:
    """Counts the reports of the client."""
    sent = failed = 0
    outages: list[float] = []
    began: float | None = None
    served = False
    for event in (each for each in events if each.source is Source.PROGRAM):
        match event.reason:
            case "RequestsSucceed":
                served = True
                if began is not None:
                    outages.append(event.at - began)
                began = None
            case "RequestsFail" if served:
                began = event.at
            case "Requests":
                numbers = event.message.replace(",", "").split()
                sent, failed = int(numbers[1]), int(numbers[3])
    if began is not None:
        outages.append(end - began)
    return Requests(sent, failed, len(outages), round(max(outages, default=0.0), 1))


def restarts_of(events: Sequence[Event]) -> tuple[int, int]:
    """Counted and not counted towards the limit of the JobSet."""
    restarts = [event.message for event in events if event.source is Source.JOB_SET and event.reason == "Restart"]
    counted = sum(message.startswith("counted") for message in restarts)
    return counted, len(restarts) - counted
