"""A child process with all its children in one group, which ends with this process, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

TIME_TO_END_SECONDS = 10
"""Time for a child process to clean up after SIGTERM, before SIGKILL."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_LAUNCHER = Path(__file__).with_name("end_with_parent.py")


@contextlib.contextmanager
def child_process(
    arguments: Sequence[str | Path], *, cwd: Path, environment: Mapping[str, str], log: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a command, a path and its arguments, with its output in ``log``.

    Leaves nothing of it running, however the block ends; when this process is killed, Linux kills the command.
    """
    launched = [sys.executable, "-I", "-S", _LAUNCHER, os.getpid(), *arguments]
    process: subprocess.Popen[bytes] | None = None
    try:
        with _signals_held():  # else a signal between the start and its assignment would lose the child
            process = subprocess.Popen(  # noqa: S603 - our own interpreter or the pinned CDK command
                [str(argument) for argument in launched],
                cwd=cwd,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        yield process
    finally:
        if process is not None:
            with _signals_held():
                _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):  # the whole group has ended
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TIME_TO_END_SECONDS)
    _wait_for_group(process.pid)


def _wait_for_group(group: int) -> None:
    """A killed grandchild ends a moment after its parent; the caller should not see it still running."""
    deadline = time.monotonic() + TIME_TO_END_SECONDS
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline and not _only_dead(group):
            os.killpg(group, 0)
            time.sleep(0.01)


def _only_dead(group: int) -> bool:
    """Whether what is left of a group waits for init to collect it; False where /proc does not show it."""
    states = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                states.append(fields[0])
    return bool(states) and all(state == "Z" for state in states)


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Keeps the signals that end a command until the block is done. Other references than the main one get none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {number: signal.signal(number, lambda n, _: held.append(n)) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, disposition in before.items():
            signal.signal(number, disposition)
        for caught in held:
            signal.raise_signal(caught)
