"""Ctrl-C, ``kill`` and a closed terminal end a command the same way: once, and cleanly."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Terminated(KeyboardInterrupt):
    """The command received another signal than Ctrl-C's."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Inside, the first SIGTERM, SIGHUP or SIGQUIT raises ``Terminated`` in the main thread, as Ctrl-C its own.

    From then on they are ignored to the end of the process, so that it leaves nothing behind and ends with the status
    of the first; SIGQUIT alone ends it at once.
    """
    if threading.current_thread() is not threading.main_thread():  # signals reach that one alone
        yield
        return
    before = {number: signal.signal(number, _end) for number in _SIGNALS}
    was_interrupted = False
    try:
        yield
    except KeyboardInterrupt:
        was_interrupted = True
        raise
    finally:
        if not was_interrupted:
            for number, disposition in before.items():
                signal.signal(number, disposition)


@contextlib.contextmanager
def until_interrupted() -> Iterator[None]:
    """Inside, after an interruption, a further Ctrl-C ends the block: for what may wait long and may be left out."""
    with contextlib.suppress(KeyboardInterrupt):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def _end(number: int, _frame: FrameType | None) -> None:
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_DFL if each is signal.SIGQUIT else signal.SIG_IGN)
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)
