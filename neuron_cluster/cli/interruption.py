"""Ctrl-C, ``kill`` and a closed terminal end a command the same way: cleanly."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Terminated(KeyboardInterrupt):
    """Another signal than Ctrl-C's asked the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Inside, SIGTERM, SIGHUP and SIGQUIT raise ``Terminated`` in the main thread, as Ctrl-C does its own."""
    before = {number: signal.signal(number, _terminate) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, disposition in before.items():
            signal.signal(number, disposition)


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise Terminated(number)
