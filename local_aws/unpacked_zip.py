"""Unpacks programs from a zip archive into a cache that several processes may share."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

LARGEST: Final = 300 * 1024**2
"""Bytes that the members of an archive may have when unpacked; kubectl and helm have 60 MB each."""
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OverflowError)
"""Exceptions of reading a damaged, encrypted or oddly packed archive."""


class NotAsExpected(Exception):
    """An archive whose members are not the ones that are to be run."""


def unpack_once(archive: zipfile.ZipFile, folder: Path, digests: Mapping[str, str]) -> Path:
    """The members of ``digests`` under ``folder``, each executable; nothing is done where they are already there.

    ``digests`` are SHA-256 in hexadecimal digits: a file that is there is believed only with the right content, else
    it is unpacked again. The folder appears whole or not at all, also when two processes unpack at the same time.
    Raises ``KeyError`` for a member that the archive lacks, ``NotAsExpected`` for one with another content.
    """
    if is_unpacked(folder, digests):
        return folder
    require_members(archive, digests)
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for member in digests:
            # A zip's modes are lost on extraction.
            Path(archive.extract(member, unfinished)).chmod(0o755)
        if not is_unpacked(unfinished, digests):
            raise NotAsExpected(f"{', '.join(digests)}: another content")
        _put_in_place(unfinished, folder, digests)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return folder


def is_unpacked(folder: Path, digests: Mapping[str, str]) -> bool:
    """Whether every file is there, with the right content."""
    with contextlib.suppress(OSError):
        return all(_digest(folder / member) == digest for member, digest in digests.items())
    return False


def require_members(archive: zipfile.ZipFile, digests: Mapping[str, str]) -> None:
    """Raises ``NotAsExpected`` unless the members have these contents, and before it has unpacked a large one."""
    names = archive.namelist()
    if len(set(names)) != len(names):
        raise NotAsExpected("the archive has two members with one name")
    if sum(archive.getinfo(member).file_size for member in digests) > LARGEST:
        raise NotAsExpected(f"more than {LARGEST // 1024**2} MiB when unpacked")
    for member, digest in digests.items():
        if _digest_of_member(archive, member) != digest:
            raise NotAsExpected(f"{member} has another content")


def _digest_of_member(archive: zipfile.ZipFile, member: str) -> str:
    try:
        with archive.open(member) as file:  # which gives no more bytes than the archive lists for the member
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # typeshed: a raw stream
    except _UNREADABLE as error:
        raise NotAsExpected(f"{member} cannot be unpacked: {error}") from error


def _digest(path: Path) -> str:
    found = path.stat()
    return _digest_of_state(path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns))


@functools.cache
def _digest_of_state(path: Path, _state: tuple[int, ...]) -> str:
    """Read once by a process: programs have 60 MB, and a write to one changes its ``ctime``."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _put_in_place(unfinished: Path, folder: Path, digests: Mapping[str, str]) -> None:
    try:
        unfinished.rename(folder)
    except OSError:
        if is_unpacked(folder, digests):  # another process was faster
            return
        if folder.is_symlink() or not folder.is_dir():
            folder.unlink()
        else:
            shutil.rmtree(folder)
        unfinished.rename(folder)
