"""Writes a file completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from neuron_cluster.errors import ToolkitError

UNENCODABLE = "backslashreplace"
"""Error handler of texts with names of files, which may hold bytes that are not UTF-8; as on standard output."""


def write_atomically(path: Path, data: bytes, *, with_folders: bool = False) -> None:
    """Puts ``data`` in the place of the file. An existing file keeps its mode; a link stays a link, but one to itself.

    The folders above are created only on request: one that is missing may be a slip of the pen. Raises
    ``ToolkitError`` when it cannot; the file is then as it was, and nothing is left next to it. A device, a pipe or a
    folder is not a file, and is never replaced by one.
    """
    try:
        path = Path(os.path.realpath(path))  # Path.resolve raises RuntimeError for a link to itself
        if with_folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        _require_place(path)
        _replace(path, data)
    except OSError as error:
        hint = "check the folder and its permissions; an existing file was not changed"
        raise ToolkitError(f"{path} cannot be written: {error.strerror}", hint=hint) from error


def _require_place(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ToolkitError(
            f"{path} is not a regular file", hint="name a regular file, or a path that does not exist yet"
        )
    if not path.parent.is_dir():
        raise ToolkitError(f"there is no folder {path.parent}", hint="create it first, or name another path")


def _replace(path: Path, data: bytes) -> None:
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(number, "wb") as stream:
            stream.write(data)
        if path.exists():
            shutil.copymode(path, beside)
        else:
            beside.chmod(0o666 & ~umask())
        beside.replace(path)
    except BaseException:  # Ctrl-C too leaves nothing behind
        beside.unlink()
        raise


def umask() -> int:
    """The process's own; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
