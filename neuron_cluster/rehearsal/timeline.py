"""Events of a rehearsal, in order."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from neuron_cluster.rehearsal.clock import Clock


class Source(StrEnum):
    """Who does it."""

    FAULT = "fault"
    NODE = "node"
    SCHEDULER = "scheduler"
    KUBELET = "kubelet"
    JOB = "job"
    JOB_SET = "jobset"
    MPI_JOB = "mpijob"
    LEADER_WORKER_SET = "lws"
    DEPLOYMENT = "deployment"
    DAEMON_SET = "daemonset"
    QUEUE = "kueue"
    SAGEMAKER = "sagemaker"
    SLURM = "slurm"
    PROGRAM = "program"


def duration(seconds: float) -> str:
    """``1:02:03`` since the start."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


class Event(Struct, frozen=True):
    """``at`` in seconds since the start; ``subject`` is a pod, a node or another object."""

    at: float
    source: Source
    subject: str
    reason: str
    message: str = ""


class Timeline:
    """Events in the order in which they happen."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.events: list[Event] = []

    def record(self, source: Source, subject: str, reason: str, message: str = "") -> None:
        """``reason`` in the words of Kubernetes where it has one."""
        self.events.append(Event(round(self._clock.now(), 1), source, subject, reason, message))
