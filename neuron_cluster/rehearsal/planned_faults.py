"""The faults of a rehearsal that have not happened yet, and when each of them will."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.fault import Fault, NothingToHitError
from neuron_cluster.rehearsal.outcome import NOT_CAUSED, MissedFault
from neuron_cluster.rehearsal.timeline import Source, Timeline

UNDER_WAY_SECONDS = 60
"""From the start of the programs until a fault without a time happens, where nothing is trained and nothing served."""


class Middle(Struct, frozen=True):
    """When a fault happens that has no time of its own: after ``step``, at ``seconds``, or once programs are under way.

    ``seconds`` are those of the rehearsal.
    """

    step: int | None = None
    seconds: float | None = None


class PlannedFaults:
    """``cause`` makes one happen, or raises ``NothingToHitError``."""

    def __init__(
        self,
        faults: Iterable[Fault],
        middle: Middle,
        *,
        agenda: Agenda,
        timeline: Timeline,
        cause: Callable[[Fault], None],
    ) -> None:
        self._agenda, self._timeline, self._cause_one = agenda, timeline, cause
        self.missed: list[MissedFault] = []
        self._ahead = list(faults)
        self._by_step: dict[int, list[Fault]] = {}
        self._when_under_way: list[Fault] = []
        for fault in self._ahead:
            self._plan(fault, middle)

    def reach(self, step: int) -> None:
        """A program has reported this step."""
        for fault in self._by_step.pop(step, ()):
            self._cause(fault)

    def are_under_way(self) -> None:
        """Programs have started; what follows the first call has no effect."""
        for fault in self._when_under_way:
            self._agenda.after(UNDER_WAY_SECONDS, lambda fault=fault: self._cause(fault))  # type: ignore[misc]
        self._when_under_way = []

    def miss_the_rest(self, why: str) -> None:
        """At the end: faults whose time never came."""
        for fault in list(self._ahead):
            self._miss(fault, why)

    def _plan(self, fault: Fault, middle: Middle) -> None:
        has_time = fault.seconds is not None or fault.step is not None
        seconds, step = (fault.seconds, fault.step) if has_time else (middle.seconds, middle.step)
        if seconds is not None:
            self._agenda.at(seconds, lambda: self._cause(fault))
        elif step is not None:
            self._by_step.setdefault(step, []).append(fault)
        else:
            self._when_under_way.append(fault)

    def _cause(self, fault: Fault) -> None:
        if fault not in self._ahead:  # the rehearsal ended before
            return
        try:
            self._cause_one(fault)
        except NothingToHitError as problem:
            self._miss(fault, str(problem))
        else:
            self._ahead.remove(fault)

    def _miss(self, fault: Fault, why: str) -> None:
        self._ahead.remove(fault)
        self.missed.append(MissedFault(str(fault), why))
        self._timeline.record(Source.FAULT, fault.name, NOT_CAUSED, why)
