"""Restores the newest complete checkpoint into an empty folder, and compares it with its manifest.

Standard library only: neuron_cluster/checkpoints and charts/model-store have this file, and
tests/unit/charts/test_shared_modules.py compares them.
"""

from __future__ import annotations

import calendar
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from neuron_cluster.checkpoints.checkpoint_manifest import (
    MANIFEST,
    TIME,
    Fault,
    FaultKind,
    InvalidManifest,
    Manifest,
    checksum_faults,
    crc32_of,
    read_manifest,
    size_faults,
    sizes_of,
)

READERS = 8
SET_ASIDE = "_incomplete/"
"""Folder with checkpoints that neuron-training did not load."""


class NoSpace(Exception):
    """The folder of the drill is on a file system that is too small."""


class Source(Protocol):
    """A folder or prefix with checkpoints of one or more runs."""

    def sizes(self) -> Mapping[str, int]:
        """All files by their paths below it."""

    def text(self, path: str) -> str:
        """The content of a small file."""

    def fetch(self, path: str, to: Path) -> None:
        """Copies a file."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One checkpoint. ``manifest`` is None where it cannot be read."""

    path: str
    manifest: Manifest | None
    faults: tuple[Fault, ...]


@dataclass(slots=True, kw_only=True)
class Report:
    """What a drill found. ``restored`` is the newest checkpoint without a fault; newer ones have faults."""

    examined: list[Examined] = field(default_factory=list)
    restored: Examined | None = None
    age_seconds: int = 0
    restore_seconds: float = 0.0

    @property
    def faults(self) -> list[Fault]:
        return [fault for each in self.examined for fault in each.faults]

    @property
    def passed(self) -> bool:
        return self.restored is not None and not self.faults

    def as_data(self) -> dict[str, Any]:
        manifest = self.restored.manifest if self.restored else None
        return {
            "passed": self.passed,
            "restored": self.restored.path if self.restored else None,
            "step": manifest.step if manifest else None,
            "completed": manifest.completed if manifest else None,
            "sdk": manifest.sdk if manifest else None,
            "parallelism": dict(manifest.parallelism) if manifest else {},
            "age_seconds": self.age_seconds if manifest else None,
            "restore_seconds": round(self.restore_seconds, 3) if manifest else None,
            "files": len(manifest.files) if manifest else 0,
            "bytes": manifest.bytes if manifest else 0,
            "checksums": manifest.has_checksums if manifest else False,
            "missing": sum(fault.kind is FaultKind.MISSING for fault in self.faults),
            "faults": [
                {"checkpoint": each.path, "kind": fault.kind.value, "path": fault.path, "detail": fault.detail}
                for each in self.examined
                for fault in each.faults
            ],
        }

    def sentences(self) -> Iterator[str]:
        """For people: each fault, and what can be restored."""
        for each in self.examined:
            for fault in each.faults:
                yield f"{each.path}: {fault}"
        if self.restored is None:
            yield f"no complete checkpoint: {len(self.examined)} with a {MANIFEST}, none of which can be restored"
            return
        data = self.as_data()
        yield (
            f"restored {data['restored']}: step {data['step']}, {data['files']} files, {data['bytes']} bytes in "
            f"{data['restore_seconds']} s, {data['age_seconds']} s old"
        )
        if not data["checksums"]:
            yield "its manifest has no checksums: contents of the right size were not compared (checkpoints.checksums)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """``into`` is an empty folder. Files that are missing are looked for again after ``wait_seconds``."""

    source: Source
    into: Path
    wait_seconds: float = 0.0
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time

    def run(self) -> Report:
        """Raises ``NoSpace``, OSError, and what the source raises."""
        report = Report()
        sizes = self.source.sizes()
        for path, manifest, fault in self._newest_first(sizes):
            if manifest is None or fault is not None:
                report.examined.append(Examined(path, None, (fault,) if fault else ()))
                continue
            faults = self._faults_there(path, manifest, sizes)
            if not faults:
                begun = self.now()
                faults = self._restore(path, manifest)
                report.restore_seconds = self.now() - begun
            report.examined.append(Examined(path, manifest, tuple(faults)))
            if not faults:
                report.restored = report.examined[-1]
                report.age_seconds = max(0, int(self.now()) - _completed(manifest))
                break
        return report

    def _newest_first(self, sizes: Mapping[str, int]) -> list[tuple[str, Manifest | None, Fault | None]]:
        """Checkpoints with a manifest. One that cannot be read comes first: it may be the newest."""
        found: list[tuple[str, Manifest | None, Fault | None]] = []
        for path in sorted(sizes):
            folder, _, name = path.rpartition("/")
            if name != MANIFEST or f"/{SET_ASIDE}" in f"/{path}":
                continue
            try:
                found.append((folder, read_manifest(self.source.text(path)), None))
            except InvalidManifest as problem:
                found.append((folder, None, Fault(FaultKind.CHANGED, MANIFEST, str(problem))))
        return sorted(found, key=lambda each: _rank(each[1]), reverse=True)

    def _faults_there(self, path: str, manifest: Manifest, sizes: Mapping[str, int]) -> list[Fault]:
        """What the source lacks. A file that arrives while the drill waits is late: its manifest came before it."""
        faults = size_faults(manifest, _below(path, sizes))
        missing = [fault for fault in faults if fault.kind is FaultKind.MISSING]
        if not missing or self.wait_seconds <= 0:
            return faults
        self.sleep(self.wait_seconds)
        still = {fault.path for fault in size_faults(manifest, _below(path, self.source.sizes()))}
        detail = f"it came after the manifest, within {self.wait_seconds:g} s: exports have no order"
        return [
            Fault(FaultKind.LATE, fault.path, detail) if fault in missing and fault.path not in still else fault
            for fault in faults
        ]

    def _restore(self, path: str, manifest: Manifest) -> list[Fault]:
        """Copies the files of the manifest; what differs then. Removes what is not right."""
        self.into.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self.into).free
        if free < manifest.bytes:
            raise NoSpace(f"{path} has {manifest.bytes} bytes, and {self.into} has {free} free")
        prefix = f"{path}/" if path else ""

        def fetch(name: str) -> None:
            target = self.into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            self.source.fetch(prefix + name, target)

        with ThreadPoolExecutor(READERS) as pool:
            list(pool.map(fetch, [file.path for file in manifest.files]))
        faults = size_faults(manifest, sizes_of(self.into))
        faults = faults or checksum_faults(manifest, lambda name: crc32_of(self.into / name))
        if faults:
            shutil.rmtree(self.into)
        else:
            (self.into / MANIFEST).write_text(manifest.as_json(), encoding="utf-8")
        return faults


def _rank(manifest: Manifest | None) -> tuple[bool, int, int]:
    return (True, 0, 0) if manifest is None else (False, _completed(manifest), manifest.step)


def _below(path: str, sizes: Mapping[str, int]) -> dict[str, int]:
    prefix = f"{path}/" if path else ""
    return {name.removeprefix(prefix): size for name, size in sizes.items() if name.startswith(prefix)}


def _completed(manifest: Manifest) -> int:
    """Seconds since 1970; 0 where the time cannot be read."""
    try:
        return calendar.timegm(time.strptime(manifest.completed, TIME))
    except ValueError:
        return 0


class FolderSource:
    """A folder of a mounted file system."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __str__(self) -> str:
        return str(self._root)

    def sizes(self) -> dict[str, int]:
        return {
            path.relative_to(self._root).as_posix(): path.stat().st_size
            for path in self._root.rglob("*")
            if path.is_file()
        }

    def text(self, path: str) -> str:
        return (self._root / path).read_text(encoding="utf-8", errors="replace")

    def fetch(self, path: str, to: Path) -> None:
        shutil.copyfile(self._root / path, to)
