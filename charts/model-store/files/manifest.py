"""manifest.json: what a folder holds and where it is from. It is written last, so a folder with one is complete."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from problem import DATA, Problem

MANIFEST = "manifest.json"
BLOCK = 1024 * 1024


class File(NamedTuple):
    """A file of a source. ``digest`` is ``sha256:…``, ``git:…`` (the id of a git blob) or empty where none is known."""

    path: str
    size: int
    digest: str


def sha256_of(path: Path) -> str:
    """Reads the whole file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def has_digest(path: Path, sha256: str, digest: str) -> bool:
    """Whether a file of this SHA-256 is the one of the source; any is where the source has no digest."""
    if not digest.startswith("git:"):
        return digest in ("", f"sha256:{sha256}")
    # Small: large files of the Hub are in LFS.
    content = path.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return digest == f"git:{blob.hexdigest()}"


def checked(files: Iterable[File]) -> list[File]:
    """Paths of a source, none of which leaves the folder or is the manifest itself."""
    found = sorted(files)
    for file in found:
        parts = file.path.split("/")
        if not file.path or {"", ".", ".."} & set(parts) or "\\" in file.path or "\0" in file.path:
            raise Problem(f"the source names a file {file.path!r}, which is no path below its root", DATA)
        if file.path == MANIFEST:
            raise Problem(f"the source has a {MANIFEST} of its own: add it to download.exclude", DATA)
    return found


def document(origin: Mapping[str, Any], files: Mapping[File, str]) -> dict[str, Any]:
    """The content of a manifest. ``files`` has the SHA-256 of each file."""
    rows = [{"path": file.path, "size": file.size, "sha256": files[file]} for file in sorted(files)]
    return {
        "origin": dict(origin),
        "completed": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "bytes": sum(file.size for file in files),
        "files": rows,
    }


def read(text: str | None) -> dict[str, Any] | None:
    """A manifest of this chart; None for none, or for anything else."""
    try:
        found = json.loads(text) if text is not None else None
    except ValueError:
        return None
    return found if isinstance(found, dict) and "origin" in found and "files" in found else None


def write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Atomically: readers see the whole manifest or none."""
    part = folder / f".{MANIFEST}.part"
    with part.open("w", encoding="utf-8") as stream:
        json.dump(manifest, stream, indent=1)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(folder / MANIFEST)


def missing(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Files of the manifest that are no longer there with their size."""
    return [row["path"] for row in manifest["files"] if _size(folder / row["path"]) != row["size"]]


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
