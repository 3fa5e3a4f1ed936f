"""Deletes old entries of a compile cache on a shared file system, by age and by size.

An entry is the folder of one compiled graph: 32 hexadecimal digits in vLLM Neuron's cache, `MODULE_…` in Neuron's
persistent cache. Nothing else is touched. Its age counts from the last read or write of a file in it; on a volume that
is mounted `noatime` from the last write alone. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DAY = 86400.0
GIB = 1024**3
GRAVE = ".deleted-"
ENTRY = re.compile(rf"^({re.escape(GRAVE)}(\d+-)?)?([0-9a-f]{{32}}|MODULE_.+)$")


@dataclass(frozen=True)
class Entry:
    """One compiled graph; age in days since it was last used, size in bytes."""

    folder: Path
    age_days: float
    size: int


@dataclass(frozen=True)
class Limits:
    """What may stay. Zero means no limit; entries younger than keep_days stay in any case: one may be in the making."""

    max_age_days: float
    max_bytes: int
    keep_days: float


def find_entries(root: Path, now: float) -> Iterator[Entry]:
    """Every entry below a root; now in seconds since 1970."""
    for name, folders, _ in os.walk(root):
        for folder in [folder for folder in folders if ENTRY.match(folder)]:
            folders.remove(folder)
            if entry := _entry(Path(name, folder), now):
                yield entry


def _entry(folder: Path, now: float) -> Entry | None:
    """None when the folder is gone. A file that goes while we look does not count: compilers rename theirs."""
    own = _state(folder)
    if own is None:
        return None
    paths = (Path(name, file) for name, _, files in os.walk(folder) for file in files)
    states = [state for path in paths if (state := _state(path)) is not None]
    used = max(state.st_mtime for state in [own, *states])
    # A folder's own access time is that of the last listing, such as this one.
    read = max((state.st_atime for state in states), default=used)
    return Entry(folder, (now - max(used, read)) / DAY, sum(state.st_size for state in states))


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def to_delete(found: Sequence[Entry], limits: Limits) -> list[Entry]:
    """The entries that are too old, then the longest unused until the rest fits."""
    oldest_first = sorted(found, key=lambda entry: (-entry.age_days, str(entry.folder)))
    left = sum(entry.size for entry in found)
    doomed = []
    for entry in oldest_first:
        too_old = limits.max_age_days > 0 and entry.age_days > limits.max_age_days
        too_much = limits.max_bytes > 0 and left > limits.max_bytes
        if (too_old or too_much) and entry.age_days >= limits.keep_days:
            doomed.append(entry)
            left -= entry.size
    return doomed


def delete(entry: Entry) -> None:
    """Takes the entry out of sight first, so that no reader finds half of it. Raises OSError."""
    grave = entry.folder
    if not grave.name.startswith(GRAVE):
        # The number: an interrupted clean-up may have left a grave of an earlier entry of this name.
        grave = grave.with_name(f"{GRAVE}{time.time_ns()}-{grave.name}")
        entry.folder.rename(grave)
    shutil.rmtree(grave)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Deletes old entries of a compile cache.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--max-age-days", type=float, required=True)
    parser.add_argument("--max-size-gib", type=float, required=True)
    parser.add_argument("--keep-days", type=float, required=True)
    parser.add_argument("--dry-run", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Cleans one cache and says what it did; 1 when the folder is missing, or an entry could not be deleted."""
    options = _options(arguments)
    if not options.root.is_dir():
        print(f"{options.root} is no folder: is the cache mounted?", file=sys.stderr)
        return 1
    limits = Limits(options.max_age_days, int(options.max_size_gib * GIB), options.keep_days)
    found = list(find_entries(options.root, time.time()))
    doomed = to_delete(found, limits)
    gone = []
    for entry in doomed:
        print(f"{entry.folder} unused for {entry.age_days:.0f} days, {entry.size / GIB:.2f} GiB")
        try:
            if not options.dry_run:
                delete(entry)
            gone.append(entry)
        except OSError as problem:
            print(f"{entry.folder} could not be deleted: {problem}", file=sys.stderr)
    total, freed = sum(entry.size for entry in found), sum(entry.size for entry in gone)
    verb = "would go" if options.dry_run else "deleted"
    print(f"{len(found)} entries, {total / GIB:.1f} GiB; {len(gone)} {verb}, {freed / GIB:.1f} GiB")
    return 0 if gone == doomed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
