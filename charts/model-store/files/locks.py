"""One writer for a folder: a lost node may still run the pod that another one has replaced."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from problem import Interrupted, writing_failed


def acquired(path: Path) -> int:
    """The file that holds the lock, as long as it is open. Raises ``Interrupted`` while another process has it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise writing_failed(error, path.parent) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise Interrupted(f"another pod writes to {path.parent}") from error
    except OSError as error:
        print(f"{path.parent} has no locks ({error.strerror}): start no second job for it", flush=True)
    return lock
