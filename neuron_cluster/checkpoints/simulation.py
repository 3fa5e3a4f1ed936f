"""A training over days as discrete events: saves, failures of nodes, restarts, and the export to the bucket.

The formulas of ``arithmetic`` are averages for a stall far below the time between failures. This shows the spread
around them, and what they leave out: failures while programs start again, saves that wait for the last one, exports
that queue up.
"""

from __future__ import annotations

import math
import random
from collections.abc import Generator
from typing import Any

import simpy
from msgspec import Struct

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.spec import CheckpointSpec, SaveMode

DAY = 86_400.0
Steps = Generator[Any, Any, None]


class SimulatedRun(Struct, frozen=True, kw_only=True):
    """One training. Times are in seconds of all nodes together: of the training, not of each node."""

    failures: int
    stalls: float
    repeated: float
    restarts: float
    worst_recovery_point: float
    """The most work that one failure took back."""
    worst_export_lag: float | None
    """From the end of a save until the bucket has it; None without a bucket."""
    lost_at_end: float
    """Work since the newest checkpoint when the time is over, as at the end of a capacity block."""

    @property
    def lost(self) -> float:
        return self.stalls + self.repeated + self.restarts


def simulate(
    spec: CheckpointSpec, assessment: Assessment, days: float, seed: int, closing_save: float | None = None
) -> SimulatedRun:
    """One run. ``closing_save`` asks for a save so many seconds before the end. The same seed gives the same run."""
    training = _Training(spec, assessment, seed)
    return training.run(days * DAY, closing_save)


class _Training:
    """The state of one run. Work is counted in seconds of training."""

    def __init__(self, spec: CheckpointSpec, assessment: Assessment, seed: int) -> None:
        self._spec, self._assessment = spec, assessment
        self._is_sync = spec.mode is SaveMode.SYNC
        self._restart = spec.restart + assessment.restore
        self._write = max(assessment.write, assessment.creates)
        self._random = random.Random(seed)  # noqa: S311 - a simulation, no secret
        self._world = simpy.Environment()
        self._work = self._saved = self._written = 0.0
        self._write_ends = self._export_ends = 0.0
        """When the last write behind the training ends, and the last export of the queue."""
        self._began: float | None = None
        """When the work of now began; None while nothing is computed."""
        self._generation = 0
        """Grows with each failure: a write that began before it does not count."""
        self._failures = 0
        self._stalls = self._repeated = self._restarts = self._worst_loss = self._worst_lag = 0.0

    def run(self, seconds: float, closing_save: float | None) -> SimulatedRun:
        training = self._world.process(self._train(seconds - closing_save if closing_save is not None else None))
        self._world.process(self._fail(training))
        self._world.run(until=seconds)
        began = self._began
        done = self._work + (self._world.now - began if began is not None else 0.0)
        return SimulatedRun(
            failures=self._failures,
            stalls=self._stalls,
            repeated=self._repeated,
            restarts=self._restarts,
            worst_recovery_point=self._worst_loss,
            worst_export_lag=self._worst_lag if self._assessment.export is not None else None,
            lost_at_end=done - self._saved,
        )

    def _fail(self, training: simpy.Process) -> Steps:
        while True:
            yield self._world.timeout(self._random.expovariate(1 / self._spec.mtbf))
            self._failures += 1
            training.interrupt()

    def _train(self, closing_at: float | None) -> Steps:
        while True:
            try:
                left = closing_at - self._world.now if closing_at is not None else math.inf
                is_closing = left <= self._assessment.interval
                yield from self._compute(max(left, 0.0) if is_closing else self._assessment.interval)
                yield from self._save(is_closing=is_closing)
                closing_at = None if is_closing else closing_at
            except simpy.Interrupt:
                yield from self._start_again()

    def _compute(self, seconds: float) -> Steps:
        self._began = self._world.now
        yield self._world.timeout(seconds)
        self._work += seconds
        self._began = None

    def _save(self, *, is_closing: bool) -> Steps:
        """The framework waits for its last write, then for the save or for the copy of it."""
        began = self._world.now
        if self._write_ends > began:
            yield self._world.timeout(self._write_ends - began)
        if self._spec.layout.late_mark and not self._is_sync:
            self._saved = max(self._saved, self._written)
        yield self._world.timeout(self._write if self._is_sync else self._assessment.stall)
        self._stalls += self._world.now - began
        if self._is_sync:
            self._complete(self._work)
        else:
            self._write_ends = self._world.now + self._write
            self._world.process(self._write_behind(self._work, self._generation, is_closing=is_closing))

    def _write_behind(self, work: float, generation: int, *, is_closing: bool) -> Steps:
        yield self._world.timeout(self._write)
        if generation == self._generation:
            self._complete(work, is_closing=is_closing)

    def _complete(self, work: float, *, is_closing: bool = False) -> None:
        """A framework that marks late does so for a closing save too, when its programs end in good order."""
        self._written = work
        if self._is_sync or is_closing or not self._spec.layout.late_mark:
            self._saved = work
        if self._assessment.export is not None:  # one checkpoint after the other
            self._export_ends = max(self._world.now, self._export_ends) + self._assessment.export
            self._worst_lag = max(self._worst_lag, self._export_ends - self._world.now)

    def _start_again(self) -> Steps:
        """Goes back to the newest checkpoint. A failure in the meantime begins the restart again."""
        self._generation += 1
        self._write_ends = 0.0
        began, self._began = self._began, None
        lost = self._work + (self._world.now - began if began is not None else 0.0) - self._saved
        self._repeated += lost
        self._worst_loss = max(self._worst_loss, lost)
        self._work = self._written = self._saved
        down = self._world.now
        while self._world.now < down + self._restart:
            try:
                yield self._world.timeout(self._restart)
                break
            except simpy.Interrupt:
                self._restarts += self._world.now - down
                down = self._world.now
        self._restarts += self._world.now - down
