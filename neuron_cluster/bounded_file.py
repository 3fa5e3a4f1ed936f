"""Reads a file that the user names: in bounded memory, and without waiting for a pipe that has no writer."""

from __future__ import annotations

import errno
import os
import select
from pathlib import Path

MAX_BYTES = 1_048_576
"""The maximum of environment files, values of charts and kubeconfigs; a thousand node groups have a third of it."""
MAX_BYTES_OF_OBJECTS = 8 * MAX_BYTES
"""The maximum of a stream of Kubernetes objects, which may hold the definitions of many custom resources."""
LONGEST_WAIT = 10
"""Seconds that a pipe or terminal may be silent."""


def read_bounded(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file or pipe. Raises ``OSError``, also for more than ``max_bytes`` and for a silent pipe."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        content = bytearray()
        while part := _next_part(number, max_bytes + 1 - len(content)):
            content += part
            if len(content) > max_bytes:
                raise OSError(errno.EFBIG, too_large(max_bytes))
    finally:
        os.close(number)
    return bytes(content)


def too_large(max_bytes: int) -> str:
    """The message for a file of more bytes than are read."""
    return f"larger than {max_bytes // 1024:,} KiB"


def _next_part(number: int, max_bytes: int) -> bytes:
    """Returns the next bytes as soon as there are some; empty at the end."""
    try:
        return os.read(number, max_bytes)
    except BlockingIOError:  # a pipe that is open for writing, or a terminal
        if not select.select([number], [], [], LONGEST_WAIT)[0]:
            raise TimeoutError(errno.ETIMEDOUT, f"nothing was written to it for {LONGEST_WAIT} seconds") from None
        return os.read(number, max_bytes)
