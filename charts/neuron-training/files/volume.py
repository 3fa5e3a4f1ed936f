"""A volume that is out of order for a while: full, or stale while its file server fails over."""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Callable

RETRY_SECONDS = 5
PASSING = frozenset(
    {errno.EDQUOT, errno.EHOSTDOWN, errno.EIO, errno.ENOSPC, errno.ENOTCONN, errno.ESTALE, errno.ETIMEDOUT}
)
"""Errors that end without a change of the job. A wrong path or owner (ENOTDIR, EACCES, …) is none of them."""


def is_passing(problem: OSError) -> bool:
    return problem.errno in PASSING


def patiently(work: Callable[[], None], timeout_seconds: float, check: Callable[[], None]) -> None:
    """Does it again while the volume is out of order. Raises the error that stays, and what ``check`` raises."""
    deadline = time.monotonic() + timeout_seconds
    said = ""
    while True:
        check()
        try:
            return work()
        except OSError as problem:
            if not is_passing(problem) or time.monotonic() > deadline:
                raise
            if str(problem) != said:
                said = str(problem)
                print(f"neuron-training: waits for the volume: {said}", file=sys.stderr, flush=True)
        time.sleep(RETRY_SECONDS)
