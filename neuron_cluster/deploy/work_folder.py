"""Private folders for the time of one command, and the removal of those that a killed command left behind."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from neuron_cluster.deploy.disk import unusable_folder

PREFIX = "neuron-cluster-"
HELD = ".held"
"""A file that the command locks as long as it lives: the kernel releases it however the command ends."""
STALE_SECONDS = 3600
"""Age from which a folder without its command is removed."""


@contextlib.contextmanager
def work_folder(parent: Path | None = None, prefix: str = PREFIX) -> Iterator[Path]:
    """A new folder (mode 0700) in ``parent`` (default: the one for temporary files), removed with the block.

    Folders of the same kind that a killed command left there are removed first. Raises ``ToolkitError`` when no folder
    can be made.
    """
    try:
        where = Path(tempfile.gettempdir()) if parent is None else parent
        remove_stale(where, prefix)
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=where))
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise unusable_folder(parent, error) from error
    try:
        with _held(folder):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_stale(parent: Path, prefix: str) -> None:
    """Removes the user's own folders of this kind that are older than an hour and that no running command holds."""
    with contextlib.suppress(OSError):
        for folder in parent.glob(f"{prefix}*"):
            if _is_stale(folder):
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    try:
        number = os.open(folder / HELD, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise unusable_folder(folder.parent, error) from error
    try:
        with contextlib.suppress(OSError):  # a file system without locks: the age alone counts there
            fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


def _is_stale(folder: Path) -> bool:
    try:
        found = folder.lstat()
        is_own = folder.is_dir() and not folder.is_symlink() and found.st_uid == os.geteuid()
        return is_own and time.time() - found.st_mtime > STALE_SECONDS and not _is_held(folder)
    except OSError:  # it is just being removed
        return False


def _is_held(folder: Path) -> bool:
    try:
        number = os.open(folder / HELD, os.O_RDWR)
    except FileNotFoundError:  # the command was killed before it made the file
        return False
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(number)
    return False
