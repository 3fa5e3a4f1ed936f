"""Reports of programs in their logs, as events of the timeline."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from neuron_cluster.rehearsal.clock import Clock
from neuron_cluster.rehearsal.planned_faults import PlannedFaults
from neuron_cluster.rehearsal.timeline import Source, Timeline

PREFIX = b"@rehearsal "
"""Prefix of a line that programs/program_report.py writes."""
REPLACED = "Replaced"
"""The reason with which a program reports that it replaces another."""
STEP_REASONS = frozenset({"Step", "Sent"})
"""The reasons with which a program reports a step that a fault may wait for: of a training, of a download."""


class ProgramEvents:
    """``folder`` has a log of each container. A report of a step may cause one of the faults."""

    def __init__(
        self,
        folder: Path,
        *,
        clock: Clock,
        timeline: Timeline,
        faults: PlannedFaults,
        progress: Callable[[float, str], None],
    ) -> None:
        self._folder, self._clock, self._timeline = folder, clock, timeline
        self._faults, self._progress = faults, progress
        self._read: dict[Path, int] = {}
        self.replaced: set[str] = set()
        """Names of programs in the place of which another one ran."""

    def record(self) -> None:
        """Reads what was added to the logs since the last time."""
        for container, report in self._new():
            reason = str(report.pop("reason"))
            if reason == REPLACED:
                self.replaced.add(str(report["program"]))
                continue
            text = ", ".join(f"{name} {value}" for name, value in report.items())
            self._progress(self._clock.now(), f"{reason} {text}")
            self._timeline.record(Source.PROGRAM, container, reason, text)
            if reason in STEP_REASONS:
                self._faults.reach(int(report["step"]))

    def _new(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Container and report of each complete line."""
        for log in sorted(self._folder.glob("*.log")):
            start = self._read.get(log, 0)
            with log.open("rb") as file:
                file.seek(start)
                added = file.read()
            whole = added[: added.rfind(b"\n") + 1]
            self._read[log] = start + len(whole)
            for line in whole.splitlines():
                if line.startswith(PREFIX):
                    yield log.name.partition(".")[0], json.loads(line.removeprefix(PREFIX))
