"""Unpacking programs from a zip archive into a cache that several processes may share."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path


def unpack_once(archive: zipfile.ZipFile, folder: Path, members: Iterable[str]) -> Path:
    """The members under ``folder``, each executable; nothing is done where the folder is already there.

    The folder appears whole or not at all, also when two processes unpack at the same time. Its name must tell the
    content (a digest, a version). Raises ``KeyError`` for a member that the archive lacks.
    """
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for member in members:
            # A zip's modes are lost on extraction.
            Path(archive.extract(member, unfinished)).chmod(0o755)
        unfinished.rename(folder)
    except OSError:
        if not folder.exists():  # else another process was faster, with the same content
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder
