"""The note by which commands of a project find its running local AWS: where it listens, and the secret of its run.

A process that can write the note could redirect templates to another server, and one that can read it could use the
local AWS. So only its user may read and write it, otherwise it is ignored: one out of a repository, or of another
user, is rejected.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from neuron_cluster.deploy.disk import NO_SPACE, unusable_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.local_folder import local_folder

LARGEST = 64 * 1024
"""Bytes that are read of a note."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class LocalNote(Struct, frozen=True):
    """The content of the note."""

    endpoint: str
    pid: int
    secret: str
    is_fresh_account: bool = False
    """Whether it plays an account that was never used."""


def note_path(project: Path) -> Path:
    return local_folder(project) / "aws.json"


def read_note(project: Path) -> LocalNote | None:
    """The note, or None where there is none or it is not readable as one.

    Raises ``ToolkitError`` for a note that may be another's: one that does not belong to this user, that others can
    read or write, or that is not a file.
    """
    path = note_path(project)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if path.is_symlink():
            raise _unsafe_note(path, "is a symbolic link") from error
        return None
    with os.fdopen(descriptor, "rb") as file:
        _require_own(path, os.fstat(descriptor))
        text = file.read(LARGEST)
    try:
        read = json.loads(text)
        is_fresh = read.get("fresh_account") is True
        return LocalNote(str(read["endpoint"]), int(read["pid"]), str(read["secret"]), is_fresh)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


@contextlib.contextmanager
def noted(project: Path, note: LocalNote) -> Iterator[None]:
    """The note is there while the block lasts. Raises ``ToolkitError`` where it cannot be written."""
    path = note_path(project)
    try:
        _write(path, note)
    except OSError as error:
        if error.errno in NO_SPACE:
            raise unusable_folder(path.parent, error) from error
        hint = "`deploy --local` finds a running local AWS by this file; make the folder writable"
        raise ToolkitError(f"{path} cannot be written: {error.strerror}", hint=hint) from error
    try:
        yield
    finally:
        with contextlib.suppress(ToolkitError, OSError):
            if read_note(project) == note:  # else a later one
                path.unlink(missing_ok=True)


def _write(path: Path, note: LocalNote) -> None:
    """Whole or not at all, and never readable by others."""
    path.parent.mkdir(exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    row = {"endpoint": note.endpoint, "pid": note.pid, "secret": note.secret, "fresh_account": note.is_fresh_account}
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _require_own(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise _unsafe_note(path, "is not a file")
    if status.st_uid != os.geteuid():
        raise _unsafe_note(path, f"belongs to another user (uid {status.st_uid})")
    if status.st_mode & OTHERS:
        raise _unsafe_note(path, f"can be read or written by others (mode {stat.S_IMODE(status.st_mode):04o})")


def _unsafe_note(path: Path, why: str) -> ToolkitError:
    return ToolkitError(
        f"{path} {why}, so its entry for a local AWS is ignored",
        hint=f"`rm -r {path}`; `neuron-cluster local` writes it again",
    )
