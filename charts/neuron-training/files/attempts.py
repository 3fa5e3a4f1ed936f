"""How often this run has started, and what it gained: the limit of the restarts that the job does not count.

A JSON file on the checkpoint volume holds the numbers of the run. The first pod writes a new one at each start. They
begin anew with each JobSet or MPIJob, which its id tells.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import volume
from checkpoint_folders import checkpoints_and_others, step_of
from notes import Entry, Note

FOLDER = "attempts"


class TooManyRestarts(Exception):
    """This run may not start again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """0 means no limit."""

    losses: int
    without_checkpoint: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """The numbers of a run. ``at`` in nanoseconds since 1970."""

    run: str
    at: int
    checkpoint: str
    losses: int = 0
    """Attempts that ended because a node or a Neuron device was lost."""
    without_checkpoint: int = 0
    """Restarts since the checkpoint."""

    def next(self, at: int, checkpoint: str, was_lost: bool) -> Attempts:
        """After one more restart."""
        without = 0 if checkpoint != self.checkpoint else self.without_checkpoint + 1
        losses = self.losses + was_lost
        return replace(self, at=at, checkpoint=checkpoint, losses=losses, without_checkpoint=without)

    def check(self, limits: Limits) -> None:
        """Raises TooManyRestarts."""
        if 0 < limits.losses < self.losses:
            raise TooManyRestarts(f"a node or a Neuron device was lost {self.losses} times (restarts.maxLosses)")
        if 0 < limits.without_checkpoint < self.without_checkpoint:
            newest = self.checkpoint or "the start"
            times = f"{self.without_checkpoint} times (restarts.maxWithoutCheckpoint)"
            raise TooManyRestarts(f"no newer checkpoint than {newest}, although the job restarted {times}")


def count(
    stop_folder: Path | None, run: str, checkpoints: Path | None, earlier: Iterable[Entry], limits: Limits
) -> None:
    """Counts this start. Raises TooManyRestarts, and OSError while the volume is full or stale.

    Nothing is limited without a volume, on one that takes no numbers, or where the run has no id.
    """
    if not (run and stop_folder and checkpoints):
        return
    try:
        attempts = begin(stop_folder, run, checkpoints, earlier)
    except OSError as problem:
        if volume.is_passing(problem):
            raise
        print(f"neuron-training: restarts are not limited: {problem}", file=sys.stderr, flush=True)
    else:
        attempts.check(limits)


def begin(stop_folder: Path, run: str, checkpoints: Path, earlier: Iterable[Entry]) -> Attempts:
    """Writes the numbers of this start, of which ``earlier`` notes tell how the last one ended. Raises OSError."""
    folder = stop_folder / FOLDER
    folder.mkdir(exist_ok=True)
    now, checkpoint = time.time_ns(), newest_checkpoint(checkpoints)
    last = _last(folder)
    if last is None or last.run != run:
        attempts = Attempts(run=run, at=now, checkpoint=checkpoint)
    else:
        was_lost = any(entry.note is Note.LOST and entry.at > last.at for entry in earlier)
        attempts = last.next(now, checkpoint, was_lost)
    before = list(folder.iterdir())
    (folder / f"{now}.json").write_text(json.dumps(asdict(attempts)))
    for path in before:
        with contextlib.suppress(OSError):  # a volume that does not permit it keeps them
            path.unlink()
    return attempts


def newest_checkpoint(folder: Path) -> str:
    """The one with the highest step; without any, when something in the folder last changed; "" for an empty folder."""
    try:
        paths = list(checkpoints_and_others(folder))
        steps = [(step, path) for path in paths if (step := step_of(path)) is not None]
        if steps:
            return str(max(steps)[1].relative_to(folder))
        return max((f"what changed at {path.stat().st_mtime_ns}" for path in paths), default="")
    except FileNotFoundError:
        return ""


def _last(folder: Path) -> Attempts | None:
    for path in sorted(folder.iterdir(), reverse=True):
        with contextlib.suppress(ValueError, TypeError):  # it was not written to its end
            return Attempts(**json.loads(path.read_text()))
    return None
