"""Writes a folder completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from neuron_cluster.atomic_write import umask
from neuron_cluster.errors import ToolkitError

MODE = 0o777
"""Before the umask, as of a folder that ``mkdir`` makes."""


def require_new(folder: Path) -> None:
    """Raises ``ToolkitError`` for a folder with content, for a file, and for one without a folder above."""
    try:
        if os.path.lexists(folder) and not folder.is_dir():
            raise ToolkitError(f"--output {folder} is not a folder", hint="name a new folder")
        if folder.is_dir() and any(folder.iterdir()):
            hint = "name a new folder, or delete this one first: nothing in it is overwritten"
            raise ToolkitError(f"--output {folder} is not empty", hint=hint)
        if not folder.absolute().parent.is_dir():
            raise ToolkitError(
                f"--output {folder}: there is no folder {folder.absolute().parent}", hint="create it first"
            )
    except (OSError, ValueError) as error:
        raise _unusable(folder, error) from error


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Writes the files to a temporary folder beside, which then gets the name of the folder.

    An empty folder is replaced. Raises ``ToolkitError`` when it cannot; nothing is then left beside it.
    """
    require_new(folder)
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.absolute().parent))
    except (OSError, ValueError) as error:
        raise _unusable(folder, error) from error
    try:
        for name, text in files.items():
            path = beside / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        beside.chmod(MODE & ~umask())
        beside.rename(folder.absolute())  # replaces an empty folder, and fails for one with content
    except OSError as error:
        raise _unusable(folder, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)  # Ctrl-C too leaves nothing behind


def _unusable(folder: Path, error: OSError | ValueError) -> ToolkitError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    hint = "check the folder above and its permissions; nothing was written"
    return ToolkitError(f"--output {folder} cannot be written: {reason}", hint=hint)
