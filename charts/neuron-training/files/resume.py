"""Which checkpoint an attempt may load: the newest whose manifest is true. The first pod sets newer ones aside.

Frameworks choose their newest checkpoint themselves, by marks and names: one that is not there any more is not chosen.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import volume
from checkpoint_folders import INCOMPLETE, newest_first
from checkpoint_manifest import (
    MANIFEST,
    InvalidManifest,
    checksum_faults,
    crc32_of,
    part_name,
    read_manifest,
    size_faults,
    sizes_of,
)


class WithoutManifest(StrEnum):
    """Whether a checkpoint without a manifest may be loaded: while none has one, always, or never."""

    UNTIL_FIRST = "untilFirst"
    ACCEPT = "accept"
    REJECT = "reject"


class Checksums(StrEnum):
    """Of the files of a checkpoint: not computed, written to the manifest, or compared before a start as well."""

    NONE = "none"
    WRITE = "write"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointOptions:
    """Values ``checkpoints`` of the chart; ``sdk`` is the release in the name of the image, "" without one."""

    without_manifest: WithoutManifest
    checksums: Checksums
    sdk: str


def settle(folder: Path | None, options: CheckpointOptions) -> str:
    """The checkpoint that the ranks will find, "" for none. Raises OSError while the volume is full or stale."""
    for path, why in judged(folder, options) if folder else ():
        if not why or not set_aside(path, why):
            return path.name
    return ""


def judged(folder: Path, options: CheckpointOptions) -> Iterator[tuple[Path, str]]:
    """Checkpoints, the newest first, with what is wrong with each; "" for nothing. Raises OSError."""
    found = newest_first(folder)
    rejects = options.without_manifest is WithoutManifest.REJECT or (
        options.without_manifest is WithoutManifest.UNTIL_FIRST
        and any((path / MANIFEST).is_file() for _, path in found)
    )
    for _, path in found:
        if (path / MANIFEST).is_file():
            yield path, why_incomplete(path, verifies=options.checksums is Checksums.VERIFY)
        elif any(path.glob(part_name("*"))):
            yield path, f"it has parts of a manifest and no {MANIFEST}: not all nodes had listed their files"
        else:
            yield path, f"it has no {MANIFEST} (checkpoints.withoutManifest)" if rejects else ""


def why_incomplete(path: Path, *, verifies: bool) -> str:
    """What differs from the manifest of a checkpoint; "" for nothing. Raises OSError."""
    try:
        manifest = read_manifest((path / MANIFEST).read_text(encoding="utf-8"))
    except (InvalidManifest, UnicodeDecodeError) as problem:
        return f"its {MANIFEST} cannot be read: {problem}"
    faults = size_faults(manifest, sizes_of(path))
    if verifies and not faults:
        faults = checksum_faults(manifest, lambda name: crc32_of(path / name))
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{faults[0]}{more}" if faults else ""


def set_aside(path: Path, why: str) -> bool:
    """Moves a checkpoint to where no framework looks. False on a volume without renames, such as Mountpoint for S3."""
    target = path.parent / INCOMPLETE / f"{path.name}-{time.time_ns()}"
    try:
        target.parent.mkdir(exist_ok=True)
        path.rename(target)
    except OSError as problem:
        if volume.is_passing(problem):
            raise
        advice = "delete it, or the ranks load it"
        print(f"neuron-training: {path} is not complete: {why}. {problem}: {advice}", file=sys.stderr, flush=True)
        return False
    print(f"neuron-training: {path} is not complete, and is now {target}: {why}", file=sys.stderr, flush=True)
    return True
