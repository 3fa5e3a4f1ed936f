"""One fault of a rehearsal: which, when, to which pod and for how long."""

from __future__ import annotations

from msgspec import Struct


class Fault(Struct, frozen=True):
    """When: at ``seconds`` since the start, after ``step``, or in the middle of the run where both are None.

    ``pod`` is the completion index of the pod that is hit, ``lasts`` a number of seconds; None: as the fault has it.
    """

    name: str
    seconds: int | None = None
    step: int | None = None
    pod: int | None = None
    lasts: int | None = None

    def __str__(self) -> str:
        """As the command line has it."""
        moment = f"step={self.step}" if self.step is not None else _with_unit(self.seconds)
        parts = (("", self.name), (":", self.pod), ("=", _with_unit(self.lasts)), ("@", moment))
        return "".join(f"{sign}{value}" for sign, value in parts if value is not None)


def _with_unit(seconds: int | None) -> str | None:
    return None if seconds is None else f"{seconds}s"


class HostFaultKind(Struct, frozen=True):
    """A fault of hosts that are not pods, as ``fault_notation`` reads it. ``hits_pod``: one host, by its index."""

    hits_pod: bool = False
    at_start: bool = False
    lasts: int | None = None


class NothingToHitError(Exception):
    """The cluster has nothing that this fault could happen to, for the reason that the message gives."""
