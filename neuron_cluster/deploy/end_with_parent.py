"""A program that becomes another command, which Linux kills when the process that started it ends, however it ends.

    python -I -S end_with_parent.py PARENT COMMAND [ARGUMENT …]

Python's ``preexec_fn`` is not safe in a process with references; so the call is made here, before the command is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
"""Option of prctl(2), which outlives an execve(2)."""


def main(parent: int, command: list[str]) -> None:
    """Does not return."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the call
            sys.exit(128 + signal.SIGKILL)
    os.execv(command[0], command)  # noqa: S606 - a path of this process and no shell


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
