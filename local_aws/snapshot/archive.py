"""The file of a snapshot: a zip archive of a manifest, the objects, and the large values by their digests."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import importlib.metadata
import json
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


class SnapshotError(Exception):
    """``hint`` is what the user can do about it. Nothing is written, and nothing restored."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message = message
        self.hint = hint


FORMAT = 1
MANIFEST, OBJECTS, BODIES = "manifest.json", "objects.json", "bodies/"
PACKAGES = ("neuron-cluster-toolkit", "moto", "botocore")
LARGEST_JSON = 512 * 1024**2
"""Bytes that are read of the manifest and of the objects, of which each takes about ten in memory."""
SUFFIX_LENGTH = 8
"""Characters that ``tempfile`` adds to a name."""
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    NotImplementedError,
    RecursionError,
)


def versions() -> dict[str, str]:
    """Returns the versions of the packages on whose classes the objects depend."""
    found = {}
    for name in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


class ArchiveWriter:
    """An archive that is being written."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._bodies: set[str] = set()

    def put(self, digest: str, file: Any) -> None:
        """Keeps a body, once: assets of CDK are packed already."""
        if digest not in self._bodies:
            self._bodies.add(digest)
            entry = zipfile.ZipInfo(f"{BODIES}{digest}")
            with self._archive.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(file, target)

    def finish(self, objects: Any, **described: Any) -> None:
        """Writes the objects, and the manifest last."""
        written = json.dumps(objects, separators=(",", ":")).encode("ascii")
        self._archive.writestr(OBJECTS, written, zipfile.ZIP_DEFLATED)
        manifest = {
            "format": FORMAT,
            "versions": versions(),
            "written_at": datetime.now(UTC).isoformat(),
            **described,
            "objects": hashlib.sha256(written).hexdigest(),
            "bodies": sorted(self._bodies),
        }
        self._archive.writestr(MANIFEST, json.dumps(manifest, indent=2), zipfile.ZIP_DEFLATED)


class ArchiveReader:
    """An archive of this format and of these versions."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive
        self._size = path.stat().st_size
        self.manifest = json.loads(self._read(MANIFEST))
        if not isinstance(self.manifest, dict):
            raise TypeError(MANIFEST)
        _require_same_versions(path, self.manifest)

    def objects(self) -> Any:
        return json.loads(self._compared(OBJECTS, self.manifest["objects"]))

    def body(self, digest: str) -> bytes:
        """A large value."""
        return self._compared(f"{BODIES}{digest}", digest)

    def _compared(self, name: str, digest: str) -> bytes:
        content = self._read(name)
        if hashlib.sha256(content).hexdigest() != digest:
            raise zipfile.BadZipFile(f"{name} is not what the manifest describes")
        return content

    def _read(self, name: str) -> bytes:
        entry = self._archive.getinfo(name)
        if name.startswith(BODIES) and entry.compress_type != zipfile.ZIP_STORED:
            raise zipfile.BadZipFile(f"{name} is compressed, and a body is as large as its part of the file")
        if entry.file_size > (self._size if name.startswith(BODIES) else LARGEST_JSON):
            raise zipfile.BadZipFile(f"{name} has {entry.file_size} bytes")
        return self._archive.read(entry)


def require_place(path: Path) -> None:
    """Raises SnapshotError where no snapshot can be written."""
    folder = path.parent
    if path.is_dir():
        raise SnapshotError(f"{path} is a folder", "name a file, or a path that does not exist yet")
    if path.exists() and not path.is_file():
        raise SnapshotError(f"{path} is not a regular file", "name a file, or a path that does not exist yet")
    if not folder.is_dir():
        raise SnapshotError(f"there is no folder {folder}", "create it first, or name another path")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SnapshotError(f"nothing can be written in {folder}", "make the folder writable, or name another path")


@contextlib.contextmanager
def written(path: Path) -> Iterator[ArchiveWriter]:
    """Takes the place of the file when the block has ended without an error; until then the file is as it was."""
    path = Path(os.path.realpath(path))
    require_place(path)
    try:
        with _temporary_file(path) as temporary:
            with zipfile.ZipFile(temporary, "w") as archive:
                yield ArchiveWriter(archive)
            with temporary.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary.replace(path)
    except OSError as error:
        retained = "the snapshot that was there is unchanged" if path.exists() else "no file is left behind"
        raise SnapshotError(
            f"{path} cannot be written: {error.strerror or error}",
            f"free space there, make it writable, or name another path; {retained}",
        ) from error


@contextlib.contextmanager
def _temporary_file(path: Path) -> Iterator[Path]:
    """A temporary file that only its user can read: a snapshot has the secrets of access keys.

    It is locked as long as it is written, so that those that a killed process left behind are known, and removed.
    """
    _remove_abandoned(path)
    number = -1
    while number < 0 or os.fstat(number).st_nlink == 0:  # removed by another writer before it was locked
        number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(number, fcntl.LOCK_EX)
    temporary = Path(name)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)
        os.close(number)


def _remove_abandoned(path: Path) -> None:
    """Removes the temporary files of this snapshot that no process has locked."""
    for abandoned in path.parent.glob(f".{glob.escape(path.name)}-{'?' * SUFFIX_LENGTH}"):
        with contextlib.suppress(OSError):
            number = os.open(abandoned, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                if stat.S_ISREG(os.fstat(number).st_mode) and os.fstat(number).st_uid == os.geteuid():
                    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    abandoned.unlink()
            finally:
                os.close(number)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[ArchiveReader]:
    """Raises SnapshotError for what is not a complete snapshot of this format and these versions."""
    try:
        if path.is_dir():
            raise SnapshotError(f"{path} is a folder", "name the file of a snapshot")
        with zipfile.ZipFile(path) as archive:
            yield ArchiveReader(path, archive)
    except FileNotFoundError as error:
        raise SnapshotError(f"there is no file {path}", "name the file of a snapshot") from error
    except OSError as error:
        raise SnapshotError(
            f"{path} cannot be read: {error.strerror or error}", "make it readable, or name another file"
        ) from error
    except DAMAGED as error:
        raise SnapshotError(
            f"{path} is not a snapshot, or it is damaged: {error}",
            "name another file, or delete this one to begin with empty accounts",
        ) from error


def _require_same_versions(path: Path, manifest: dict[str, Any]) -> None:
    if manifest["format"] != FORMAT:
        raise SnapshotError(
            f"{path} is a snapshot of format {manifest['format']!r}; this version reads format {FORMAT}",
            f"restore it with the toolkit that wrote it ({_toolkit(manifest)}), or name another file",
        )
    theirs, ours = manifest["versions"]["moto"], versions()["moto"]
    if theirs != ours:
        raise SnapshotError(
            f"{path} was written with moto {theirs!r}, and this is moto {ours}, whose objects differ",
            f"restore it with the toolkit that wrote it ({_toolkit(manifest)}), or name another file",
        )


def _toolkit(manifest: dict[str, Any]) -> str:
    found = manifest.get("versions")
    version = found.get(PACKAGES[0]) if isinstance(found, dict) else None
    return f"version {version}" if version else "version unknown"
