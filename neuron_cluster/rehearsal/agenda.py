"""Actions of a rehearsal at certain times."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from neuron_cluster.rehearsal.clock import Clock

Action = Callable[[], None]


class Agenda:
    """Actions by time; those of one moment in the order in which they were added."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: list[tuple[float, int, Action]] = []
        self._numbers = itertools.count()

    def at(self, moment: float, action: Action) -> None:
        """``moment`` in seconds since the start of the rehearsal."""
        heapq.heappush(self._entries, (moment, next(self._numbers), action))

    def after(self, seconds: float, action: Action) -> None:
        self.at(self._clock.now() + seconds, action)

    @property
    def next_moment(self) -> float | None:
        """None where nothing is planned."""
        return self._entries[0][0] if self._entries else None

    def run_due(self) -> bool:
        """Whether anything was due."""
        ran = False
        while self._entries and self._entries[0][0] <= self._clock.now():
            heapq.heappop(self._entries)[2]()
            ran = True
        return ran
