"""The limits of one case of a fuzzer, and how a test runs a fuzzer.

A fuzzer of thousands of cases is a program of its own: its memory is its own, and nothing of a test stays in it.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
CPU_SECONDS, SECONDS = 2, 60
"""Limits of a case: the processor's time, and the clock's for one that waits instead of computing on a busy machine."""


class TooLong(Exception):
    """A case that neither ended nor failed within its limits."""


@contextmanager
def bounded() -> Iterator[None]:
    """Raises ``TooLong`` in the block when it takes more than its limits."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TooLong(signal.strsignal(number))

    for timer, number, seconds in (
        (signal.ITIMER_VIRTUAL, signal.SIGVTALRM, CPU_SECONDS),
        (signal.ITIMER_REAL, signal.SIGALRM, SECONDS),
    ):
        signal.signal(number, end)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def finish(cases: int, failures: list[str]) -> int:
    """Prints what a test reads and returns the exit status of the fuzzer."""
    sys.stdout.write(json.dumps({"cases": cases, "peak_mib": _peak_mib(), "failures": failures}) + "\n")
    return int(bool(failures))


def _peak_mib() -> int:
    """Largest resident set of this program; getrusage would name that of the process which started it."""
    peak = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="utf-8"), re.MULTILINE)
    assert peak is not None
    return int(peak[1]) // 1024


def run_fuzzer(program: str, *, seed: int, cases: int) -> dict[str, Any]:
    """The last line of a fuzzer's output, read."""
    command = [sys.executable, str(FOLDER / program), "--seed", str(seed), "--cases", str(cases)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stdout, ended.stderr
    report: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return report
