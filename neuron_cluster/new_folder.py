"""Writes a folder completely or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from neuron_cluster.atomic_write import UNENCODABLE, umask
from neuron_cluster.errors import ToolkitError

MODE = 0o777
"""Before the umask, as of a folder that ``mkdir`` makes."""
SHOWN_ENTRIES = 5
"""At most so many files of a folder that is not empty are named."""


def require_new(folder: Path, besides: Collection[str] = ()) -> None:
    """Raises ``ToolkitError`` for a folder with content, for a file, and for one without a folder above.

    ``besides`` are names that the folder may have.
    """
    try:
        if os.path.lexists(folder) and not folder.is_dir():
            raise ToolkitError(f"{folder} is not a folder", hint="name a new folder")
        if folder.is_dir() and (entries := sorted({path.name for path in folder.iterdir()}.difference(besides))):
            more = f" and {len(entries) - SHOWN_ENTRIES} more" if len(entries) > SHOWN_ENTRIES else ""
            message = f"{folder} is not empty: {', '.join(entries[:SHOWN_ENTRIES])}{more}"
            raise ToolkitError(message, hint="name a new folder, such as one in it: nothing that exists is overwritten")
        if not folder.absolute().parent.is_dir():
            raise ToolkitError(
                f"{folder} cannot be created: there is no folder {folder.absolute().parent}", hint="create it first"
            )
    except (OSError, ValueError) as error:
        raise _unusable(folder, error) from error


def write_folder(folder: Path, files: Mapping[str, str | bytes], besides: Collection[str] = ()) -> None:
    """Writes the files to a temporary folder next to it, which then gets the name of the folder.

    A folder that is empty, or has no other names than those of ``besides``, stays with its permissions: a shell may be
    in it. Raises ``ToolkitError`` when it cannot; nothing is then left there.
    """
    require_new(folder, besides)
    exists = folder.is_dir()
    try:
        place = folder if exists else folder.absolute().parent
        made = Path(tempfile.mkdtemp(prefix=f".{folder.absolute().name}-", dir=place))
    except (OSError, ValueError) as error:
        raise _unusable(folder, error) from error
    try:
        for name, content in files.items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", errors=UNENCODABLE))
        if exists:
            _move_up(made)
        else:
            made.chmod(MODE & ~umask())
            made.rename(folder.absolute())  # fails for a folder with content that was made meanwhile
    except OSError as error:
        raise _unusable(folder, error) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)  # Ctrl-C too leaves nothing behind


def _move_up(made: Path) -> None:
    """Moves what is in the folder into the one above, all of it or nothing."""
    moved: list[tuple[Path, Path]] = []
    try:
        for each in sorted(made.iterdir()):
            moved.append((each, made.parent / each.name))
            each.rename(made.parent / each.name)
    except BaseException:
        for place, each in moved:
            if each.exists() and not place.exists():
                each.rename(place)  # deleted with its folder
        raise


def _unusable(folder: Path, error: OSError | ValueError) -> ToolkitError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    hint = "check the folder above and its permissions; nothing was written"
    return ToolkitError(f"{folder} cannot be written: {reason}", hint=hint)
