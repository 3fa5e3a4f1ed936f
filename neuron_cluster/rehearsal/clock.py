"""Time of a rehearsal: seconds since its start. It passes faster than here, and jumps where no program runs.

While programs compute it passes slowly, so that what takes long only here takes little of it; while all of them wait it
passes fast. They read it in a file that they share with the rehearsal (programs/sitecustomize.py).
"""

from __future__ import annotations

import mmap
import struct
import time
from pathlib import Path

SLOW, FAST = 20.0, 800.0
"""Seconds of the rehearsal in one second here."""
CHANGES, VALUES = struct.Struct("=q"), struct.Struct("=4d")
"""Number of the change, odd while it is being written; rate, moment here and then, wall clock at the start."""


class Clock:
    """``file`` is created; programs map it."""

    def __init__(self, file: Path) -> None:
        self._rate = SLOW
        self._here = time.monotonic()
        self._then = 0.0
        self._start = time.time()
        self._changes = 0
        file.write_bytes(bytes(CHANGES.size + VALUES.size))
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), CHANGES.size + VALUES.size)
        self._publish()

    def now(self) -> float:
        """Seconds since the start of the rehearsal."""
        return self._then + (time.monotonic() - self._here) * self._rate

    def jump_to(self, moment: float) -> None:
        """To be called while no program runs: none would notice. A moment in the past changes nothing."""
        if moment > self.now():
            self._here, self._then = time.monotonic(), moment
            self._publish()

    def pass_slowly(self, *, slowly: bool) -> None:
        """From now on."""
        rate = SLOW if slowly else FAST
        if rate != self._rate:
            self._then, self._here = self.now(), time.monotonic()
            self._rate = rate
            self._publish()

    def seconds_until(self, moment: float) -> float:
        """Seconds here, at least 0, at the rate of now."""
        return max(0.0, (moment - self.now()) / self._rate)

    def _publish(self) -> None:
        self._count_change()
        self._shared[CHANGES.size :] = VALUES.pack(self._rate, self._here, self._then, self._start)
        self._count_change()

    def _count_change(self) -> None:
        self._changes += 1
        self._shared[: CHANGES.size] = CHANGES.pack(self._changes)
