"""Paths below a folder in which programs write: a link there may lead to any file of this machine."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath


@contextmanager
def opened_beneath(folder: Path, path: str, *, is_file: bool = False) -> Iterator[Path]:
    """A path under /proc that stands for the one below ``folder``, which is created where it is missing.

    It stands for the same folder or file whatever is renamed meanwhile. ``is_file`` is what is created. Links in
    ``folder`` itself are followed, none below it. Raises ``OSError``: ELOOP for a link, EINVAL for ``..``.
    """
    descriptor = os.open(folder, os.O_PATH)
    try:
        parts = [part for part in PurePosixPath(path).parts if part != "/"]
        for number, part in enumerate(parts, 1):
            inner = _open(part, descriptor, path, is_file=is_file and number == len(parts))
            os.close(descriptor)
            descriptor = inner
        yield Path("/proc/self/fd") / str(descriptor)
    finally:
        os.close(descriptor)


def _open(part: str, parent: int, path: str, *, is_file: bool) -> int:
    if part == "..":
        raise OSError(errno.EINVAL, f"{path}: .. is not allowed")
    try:
        descriptor = os.open(part, os.O_PATH | os.O_NOFOLLOW, dir_fd=parent)
    except FileNotFoundError:
        _create(part, parent, is_file=is_file)
        descriptor = os.open(part, os.O_PATH | os.O_NOFOLLOW, dir_fd=parent)
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ELOOP, f"{path}: {part} is a link, which a rehearsal does not follow")
    return descriptor


def _create(name: str, parent: int, *, is_file: bool) -> None:
    if is_file:
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o644, dir_fd=parent))
    else:
        os.mkdir(name, dir_fd=parent)
