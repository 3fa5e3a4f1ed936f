"""How a task ends without its result: one line for people, and an exit code that the Job's failure policy reads."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable

USAGE, DATA, NO_INPUT, FULL, RETRY, NO_ACCESS = 64, 65, 66, 74, 75, 77
"""Those of sysexits(3). Only RETRY, and codes of other programs, are worth another pod."""
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
NO_RENAME = (errno.ENOSYS, errno.ENOTSUP, errno.EPERM)


class Problem(Exception):
    """Ends the task; the text says what to do."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Interrupted(Problem):
    """May be over after a while: tried again by this pod, then by the next one."""

    def __init__(self, message: str, after_seconds: float = 0) -> None:
        super().__init__(message, RETRY)
        self.after_seconds = after_seconds


def concluded(place: str, run: Callable[[], str]) -> int:
    """Prints what came of it, and returns the exit code."""
    try:
        print(run(), flush=True)
    except Problem as problem:
        print(f"{place}: {problem}", file=sys.stderr, flush=True)
        return problem.code
    except OSError as error:  # of the volume: stale, or without an answer
        print(f"{place}: {error}: another pod tries again", file=sys.stderr, flush=True)
        return RETRY
    return 0


def writing_failed(error: OSError, where: object) -> Problem:
    """What a failed write means."""
    if error.errno in NO_SPACE:
        # Others make room: a training that deletes old checkpoints.
        return Interrupted(f"no space left in {where}: free some, or use a larger volume")
    if error.errno in (errno.EACCES, errno.EROFS):
        advice = "store.folder must be one that this user may write to (workload render sets it)"
        return Problem(f"{where} is not writable ({error.strerror}): {advice}", NO_ACCESS)
    return Interrupted(f"{where} could not be written: {error.strerror}")
