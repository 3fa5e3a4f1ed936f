"""The processes of a container: the ranks, and what they start and may leave behind.

The first process of a container must wait for every process whose parent has ended, or each stays a zombie that counts
against the limit of the pod: compilers start thousands. It also ends the compilers of ranks that are gone, gently:
one that is killed leaves a failed graph in the compile cache.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
PR_SET_CHILD_SUBREAPER = 36
TICK_SECONDS = 0.2
KILL_SECONDS = 5
"""A process that waits for a volume which does not answer outlives SIGKILL."""
ZOMBIE = "Z"


@dataclass(frozen=True, slots=True)
class Process:
    """A row of /proc."""

    number: int
    parent: int
    state: str


def adopt_orphans() -> None:
    """Processes below this one whose parent ends become its children, even where it is not the first one."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def running() -> list[Process]:
    """All processes that this one can see, by the first fields of /proc/PID/stat."""
    found = []
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended in the meantime
            found.append(Process(int(entry.name), int(parent), state))
    return found


def children(parent: int) -> list[int]:
    return [process.number for process in running() if process.parent == parent]


def descendants(parent: int) -> list[int]:
    """The processes below this one that have not ended."""
    below: dict[int, list[Process]] = {}
    for process in running():
        below.setdefault(process.parent, []).append(process)
    found, parents = [], [parent]
    while parents:
        for process in below.get(parents.pop(), ()):
            parents.append(process.number)
            if process.state != ZOMBIE:
                found.append(process.number)
    return found


def command_lines() -> list[str]:
    """Of the processes below this one."""
    found = []
    for process in descendants(os.getpid()):
        with contextlib.suppress(OSError):  # it ended in the meantime, or is not ours
            found.append((PROC / str(process) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


def wait(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code of this process, or None when it has none in time."""
    reap_orphans(process.pid)
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(timeout=seconds)
    return None


def reap_orphans(except_for: int = 0) -> None:
    """Takes note of ended children, but for the one that somebody else waits for."""
    own = os.getpid()
    for process in running():
        if process.parent == own and process.state == ZOMBIE and process.number != except_for:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process.number, os.WNOHANG)


def send(number: int, processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):  # it ended by itself in the meantime
            os.kill(process, number)


def end_others(seconds: float) -> None:
    """Ends what is left below this process: SIGTERM, and SIGKILL for what is there after so many seconds."""
    for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, KILL_SECONDS)):
        send(number, descendants(os.getpid()))
        deadline = time.monotonic() + patience
        while descendants(os.getpid()) and time.monotonic() < deadline:
            time.sleep(TICK_SECONDS)
            reap_orphans()
