"""``_manifest.json``: what a checkpoint holds. It is written last, so a checkpoint without one is not complete.

Where nodes share no folder, one of them does not see what the others wrote. ``CHECKPOINT_NODE`` is then the name of
this node, and ``write_manifest`` writes ``_manifest.NODE.json``, a part: no reader takes it for a manifest, and the
launcher of charts/neuron-training makes the manifest of all nodes from it.

Checksums are CRC-32, because zlib has it: no other checksum of S3 is in Python's standard library, and one in Python
alone would take days for a large checkpoint. Standard library only: neuron_cluster/checkpoints, charts/neuron-training
and charts/model-store have this file, and tests/unit/charts/test_shared_modules.py compares them.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

MANIFEST = "_manifest.json"
NODE = "CHECKPOINT_NODE"
OWN = re.compile(r"\.?_manifest(\..+)?\.json(\.partial)?")
"""Names of manifests and their parts, also before they are renamed."""
VERSION = 1
BLOCK = 4 * 1024 * 1024
TIME = "%Y-%m-%dT%H:%M:%SZ"


class InvalidManifest(Exception):
    """A file of this name that is not a manifest, or was not written to its end."""


@dataclass(frozen=True, slots=True)
class File:
    """``crc32`` is -1 where it was not computed."""

    path: str
    size: int
    crc32: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """``parallelism`` has what its writer knows, such as ``nodes``, ``ranks``, ``tensor``; ``sdk`` is "" if unknown."""

    step: int
    completed: str
    parallelism: Mapping[str, int]
    sdk: str
    files: tuple[File, ...]

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def has_checksums(self) -> bool:
        return all(file.crc32 >= 0 for file in self.files)

    def as_json(self) -> str:
        return json.dumps({"version": VERSION, **asdict(self), "bytes": self.bytes}, indent=1)


class FaultKind(StrEnum):
    """How a file differs from the manifest."""

    MISSING = "missing"
    SHORT = "short"
    LONG = "long"
    LATE = "late"
    CHANGED = "changed"
    EXCHANGED = "exchanged"


@dataclass(frozen=True, slots=True)
class Fault:
    """One file; ``detail`` is a clause for people."""

    kind: FaultKind
    path: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path} is {self.kind}: {self.detail}"


def read_manifest(text: str) -> Manifest:
    """Raises ``InvalidManifest``."""
    try:
        found = json.loads(text)
        if found["version"] != VERSION:
            raise InvalidManifest(f"version {found['version']}, and this program reads {VERSION}")
        return Manifest(
            step=int(found["step"]),
            completed=str(found["completed"]),
            parallelism={str(key): int(value) for key, value in found["parallelism"].items()},
            sdk=str(found["sdk"]),
            files=tuple(_file(row) for row in found["files"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as problem:
        raise InvalidManifest(f"not a manifest: {problem!r}") from problem


def _file(row: Mapping[str, Any]) -> File:
    path = str(row["path"])
    if {"", ".", ".."} & set(path.split("/")) or "\0" in path:
        raise ValueError(f"{path!r} is not a path below the checkpoint")
    return File(path, int(row["size"]), int(row["crc32"]))


def sizes_of(folder: Path) -> dict[str, int]:
    """The files of a checkpoint and their sizes. Raises OSError."""
    found: dict[str, int] = {}
    rest = [(str(folder), "")]
    while rest:
        path, prefix = rest.pop()
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    rest.append((entry.path, f"{prefix}{entry.name}/"))
                elif prefix or not OWN.fullmatch(entry.name):
                    found[prefix + entry.name] = entry.stat().st_size
    return found


def part_name(node: str) -> str:
    """The file that one node writes where nodes share no folder."""
    return f"_manifest.{node}.json"


def crc32_of(path: Path) -> int:
    """Reads the whole file."""
    value = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            value = zlib.crc32(block, value)
    return value


def write_manifest(
    folder: Path,
    step: int,
    *,
    parallelism: Mapping[str, int],
    sdk: str = "",
    checksums: bool = False,
    completed: str = "",
    others: Iterable[File] = (),
) -> Manifest:
    """Lists the files of a checkpoint that is whole. One process calls it, when all have written. Raises OSError.

    ``completed`` is that of an earlier manifest, which this one replaces. ``others`` are files of other nodes.
    """
    listed = {file.path: file for file in (*others, *files_of(folder, checksums=checksums))}
    files = tuple(listed[path] for path in sorted(listed))
    now = time.strftime(TIME, time.gmtime())
    made = Manifest(step=step, completed=completed or now, parallelism=dict(parallelism), sdk=sdk, files=files)
    node = os.environ.get(NODE)
    name = part_name(node) if node else MANIFEST
    part = folder / f".{name}.partial"
    with part.open("w", encoding="utf-8") as stream:
        stream.write(made.as_json())
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(folder / name)
    return made


def files_of(folder: Path, *, checksums: bool) -> list[File]:
    """The files of a checkpoint that this node sees. Raises OSError."""
    sizes = sizes_of(folder)
    return [File(path, sizes[path], crc32_of(folder / path) if checksums else -1) for path in sorted(sizes)]


def size_faults(manifest: Manifest, sizes: Mapping[str, int]) -> list[Fault]:
    """Files of the manifest that are not there with their size. Others may be there: frameworks add marks."""
    faults = []
    for file in manifest.files:
        size = sizes.get(file.path)
        if size is None:
            faults.append(Fault(FaultKind.MISSING, file.path, f"the manifest has it with {file.size} bytes"))
        elif size != file.size:
            kind = FaultKind.SHORT if size < file.size else FaultKind.LONG
            faults.append(Fault(kind, file.path, f"{size} bytes, and the manifest has {file.size}"))
    return faults


def checksum_faults(manifest: Manifest, crc32: Callable[[str], int]) -> list[Fault]:
    """Files with another content, where the manifest has checksums. ``crc32`` reads a file of this path."""
    computed = {file.path: crc32(file.path) for file in manifest.files if file.crc32 >= 0}
    wrong = [file for file in manifest.files if computed.get(file.path, file.crc32) != file.crc32]
    owners = {(file.size, file.crc32): file.path for file in wrong}
    faults = []
    for file in wrong:
        value = computed[file.path]
        if owner := owners.get((file.size, value)):
            faults.append(Fault(FaultKind.EXCHANGED, file.path, f"it has the content of {owner}"))
        else:
            detail = f"CRC-32 {value:08x}, and the manifest has {file.crc32:08x}"
            faults.append(Fault(FaultKind.CHANGED, file.path, detail))
    return faults
