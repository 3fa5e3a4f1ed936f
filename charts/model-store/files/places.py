"""Where downloaded files end up: a folder of a volume, or a prefix of a bucket."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import manifest
from bucket import Bucket
from locks import acquired
from manifest import MANIFEST, File, has_digest, sha256_of
from problem import FULL, NO_RENAME, USAGE, Problem, writing_failed

PARTS = ".incomplete"
GIB = 1024**3


class Place(Protocol):
    """A folder or a prefix."""

    parts: Path
    """Folder for files that are not yet whole."""

    def __str__(self) -> str:
        """As people find it."""

    def manifest(self) -> dict[str, Any] | None:
        """That of an earlier run which came to its end; None without one."""

    def missing(self, found: Mapping[str, Any]) -> list[str]:
        """Files of this manifest that are no longer there."""

    def reopen(self) -> None:
        """Takes the manifest away, so that nobody uses what is repaired now."""

    def reserve(self, files: Sequence[File]) -> None:
        """Raises a ``Problem`` where these files have no space, or another pod writes there."""

    def sha256_of(self, file: File) -> str | None:
        """Of a file that arrived before; None for one that did not, or that is another."""

    def keep(self, file: File, part: Path, sha256: str) -> None:
        """Puts a whole file into its place."""

    def finish(self, document: Mapping[str, Any]) -> None:
        """Writes the manifest."""


class Folder:
    """On a volume that can rename files: Lustre, EFS, EBS; not Mountpoint for S3."""

    def __init__(self, root: Path) -> None:
        self._root, self.parts = root, root / PARTS
        self._lock: int | None = None

    def __str__(self) -> str:
        return str(self._root)

    def manifest(self) -> dict[str, Any] | None:
        path = self._root / MANIFEST
        return manifest.read(path.read_text(encoding="utf-8")) if path.is_file() else None

    def missing(self, found: Mapping[str, Any]) -> list[str]:
        return manifest.missing(self._root, found)

    def reopen(self) -> None:
        (self._root / MANIFEST).unlink(missing_ok=True)

    def reserve(self, files: Sequence[File]) -> None:
        self._lock = acquired(self.parts / "lock")
        size = sum(file.size for file in files)
        arrived = sum(each.stat().st_size for each in self._root.rglob("*") if each.is_file())
        system = os.statvfs(self._root)
        free = system.f_bavail * system.f_frsize
        if (lacks := size - arrived - free) > 0:
            advice = "use a larger volume, or leave files out by download.exclude"
            raise Problem(f"{self._root} needs {lacks / GIB:.1f} GiB more than are free: {advice}", FULL)

    def sha256_of(self, file: File) -> str | None:
        path = self._root / file.path
        if not path.is_file() or path.stat().st_size != file.size:
            return None
        sha256 = sha256_of(path)
        return sha256 if has_digest(path, sha256, file.digest) else None

    def keep(self, file: File, part: Path, sha256: str) -> None:
        del sha256  # It is in the manifest.
        path = self._root / file.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("rb") as stream:
                os.fsync(stream.fileno())
            part.replace(path)
        except OSError as error:
            if error.errno in NO_RENAME:
                message = f"{path} cannot get its name ({error.strerror}): is the claim Mountpoint for S3?"
                raise Problem(f"{message} Give the bucket by store.url", USAGE) from error
            raise writing_failed(error, self._root) from error

    def finish(self, document: Mapping[str, Any]) -> None:
        try:
            manifest.write(self._root, document)
        except OSError as error:
            raise writing_failed(error, self._root) from error
        if self._lock is not None:
            os.close(self._lock)
        shutil.rmtree(self.parts, ignore_errors=True)


class Prefix:
    """Of a bucket. An object is there as a whole or not at all; its metadata has the digest."""

    def __init__(self, url: str, scratch: Path, scratch_gib: int, parallel: int) -> None:
        self._bucket, self.parts = Bucket(url), scratch / "parts"
        self._scratch_gib, self._parallel = scratch_gib, parallel

    def __str__(self) -> str:
        return self._bucket.url

    def manifest(self) -> dict[str, Any] | None:
        return manifest.read(self._bucket.text(MANIFEST))

    def missing(self, found: Mapping[str, Any]) -> list[str]:
        objects = self._bucket.objects()
        return [row["path"] for row in found["files"] if objects.get(row["path"]) != row["size"]]

    def reopen(self) -> None:
        """Replaced at the end: what is missing cannot be read before either."""

    def reserve(self, files: Sequence[File]) -> None:
        """A bucket has no limit, but files are on the disk of the node while they are copied: several at once."""
        at_once = sum(sorted(file.size for file in files)[-self._parallel :])
        if at_once > self._scratch_gib * GIB:
            message = f"the {self._parallel} largest files have {at_once / GIB:.1f} GiB, more than machine.scratchGib"
            raise Problem(f"{message} ({self._scratch_gib}): raise it, or lower download.parallelFiles", FULL)
        self.parts.mkdir(parents=True, exist_ok=True)

    def sha256_of(self, file: File) -> str | None:
        found = self._bucket.head(file.path)
        if found is None or found["size"] != file.size or found.get("digest") != file.digest:
            return None
        return found.get("sha256")

    def keep(self, file: File, part: Path, sha256: str) -> None:
        self._bucket.upload(part, file.path, {"digest": file.digest, "sha256": sha256})
        part.unlink()

    def finish(self, document: Mapping[str, Any]) -> None:
        self._bucket.put_text(MANIFEST, json.dumps(document, indent=1))
