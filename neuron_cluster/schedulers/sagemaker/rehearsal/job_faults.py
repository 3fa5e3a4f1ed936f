"""Faults of a rehearsed training job."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class JobFaultKind(Struct, frozen=True):
    """As ``fault_notation`` reads it. ``hits_pod``: one host, by its index; the last one where none is given."""

    summary: str
    hits_pod: bool = False
    at_start: bool = False
    lasts: int | None = None


STOPPED, KILLED, HOST_LOST, INTERRUPTED = "job-stopped", "host-killed", "host-lost", "spot-interrupted"
JOB_FAULTS: Mapping[str, JobFaultKind] = MappingProxyType(
    {
        STOPPED: JobFaultKind("StopTrainingJob: SIGTERM to all hosts, SIGKILL 120 s later"),
        KILLED: JobFaultKind("the kernel kills the container of a host (out of memory): exit code 137", hits_pod=True),
        HOST_LOST: JobFaultKind(
            "an instance stops without a sign: the job fails with InternalServerError, or starts again as often as "
            "RetryStrategy permits",
            hits_pod=True,
        ),
        INTERRUPTED: JobFaultKind(
            "managed Spot training is interrupted: SIGTERM to all hosts, and the job starts again on other instances"
        ),
    }
)
"""Faults by name, as the command line has them; ``fault.Fault.pod`` is the index of the host."""
