"""Process 1 of a container whose program gets signals as on a machine: passes SIGTERM on, and waits for all processes.

It starts with SIGTERM blocked. Its exit status is that of the program, as a shell has it.
"""

from __future__ import annotations

import os
import signal
import sys

SIGNALED = 128
NOT_FOUND = 127


def main(command: list[str]) -> int:
    program = os.fork()
    if program == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        try:
            os.execvp(command[0], command)  # noqa: S606  the workload's own program
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
            os._exit(NOT_FOUND)
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(program, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    while True:
        process, status = os.wait()
        if process == program:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else SIGNALED - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
