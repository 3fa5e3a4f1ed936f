"""Faults of a rehearsed job of Slurm."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class JobFaultKind(Struct, frozen=True):
    """As ``fault_notation`` reads it. ``hits_pod``: one node, by its index; the last one where none is given."""

    summary: str
    hits_pod: bool = False
    at_start: bool = False
    lasts: int | None = None


SIGNALLED, CANCELLED, NODE_LOST, RANK_KILLED = "job-signalled", "job-cancelled", "node-lost", "rank-killed"
JOB_FAULTS: Mapping[str, JobFaultKind] = MappingProxyType(
    {
        SIGNALLED: JobFaultKind("scancel --batch --signal=TERM JOB: the job saves and is requeued"),
        CANCELLED: JobFaultKind(
            "scancel JOB: SIGTERM to script and tasks, SIGKILL after KillWait; the job is not requeued"
        ),
        NODE_LOST: JobFaultKind(
            "an instance stops without a sign: the node is DOWN after SlurmdTimeout, and the job is requeued",
            hits_pod=True,
        ),
        RANK_KILLED: JobFaultKind("the kernel kills a rank of a node (out of memory)", hits_pod=True),
    }
)
"""Faults by name, as the command line has them; ``fault.Fault.pod`` is the index of the node."""
