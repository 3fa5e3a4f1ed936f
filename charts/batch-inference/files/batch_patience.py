"""Waits for a volume that is full or stale for a while: the server stays up, and loads no model again."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import TypeVar

from batch_server import Stop

T = TypeVar("T")
RETRY_SECONDS, LONGEST_SECONDS = 15.0, 900.0
PASSING = (errno.ENOSPC, errno.EDQUOT, errno.ESTALE, errno.EIO)


def patiently(call: Callable[[], T], stop: Stop, retry_seconds: float = RETRY_SECONDS) -> T:
    """Its result. Raises its ``OSError`` when that does not pass, the pod is told to stop, or time is over."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while True:
        try:
            return call()
        except OSError as failure:
            if failure.errno not in PASSING or stop.is_set or time.monotonic() > deadline:
                raise
            print(f"{failure}; again in {retry_seconds:g} s", flush=True)
        stop.event.wait(retry_seconds)
