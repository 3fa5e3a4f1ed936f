"""Deletes old and failed entries of a compile cache on a shared file system, and locks that nobody holds any more.

An entry is the folder of one compiled graph: 32 hexadecimal digits in vLLM Neuron's cache, `MODULE_…` in Neuron's
persistent cache. Its age counts from the last read or write of a file in it, or from the last mark of warm_cache.py,
whichever is later; on a volume that is mounted `noatime` reads do not count. An interrupted compilation leaves a failed
entry, which ends every later run at once, and a lock, for which every later run waits. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

HOUR = 3600.0
DAY = 24 * HOUR
GIB = 1024**3
GRAVE = ".deleted-"
GRAPH, FAILURE = "model.neff", "model.log"
"""Files of an entry of the persistent cache; one with a log and no graph is the failed kind."""
ENTRY = re.compile(rf"^(({re.escape(GRAVE)}|\.staging-)(\d+-)?)?([0-9a-f]{{32}}|MODULE_.+)$")
"""Also what an interrupted clean-up left, or an interrupted copy of neuron-serving's share_cache.py."""


@dataclass(frozen=True)
class Entry:
    """One compiled graph; age in days since it was last used, size in bytes."""

    folder: Path
    age_days: float
    size: int
    is_failed: bool = False


@dataclass(frozen=True)
class Limits:
    """What may stay. Zero means no limit; entries younger than keep_days stay in any case: one may be in the making."""

    max_age_days: float
    max_bytes: int
    keep_days: float
    stale_hours: float
    """Longer than any compilation: failed entries and locks in which nothing changed for so long go."""


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
    graph = _state(folder / GRAPH)
    if (folder / FAILURE).exists() and (graph is None or graph.st_size == 0):
        return Entry(folder, (now - used) / DAY, sum(state.st_size for state in states), is_failed=True)
    return Entry(folder, (now - max(used, read)) / DAY, sum(state.st_size for state in states))


def stale_locks(root: Path, limits: Limits, now: float) -> list[Path]:
    """Lock files below a root that are older than any compilation takes."""
    states = ((path, _state(path)) for path in sorted(root.rglob("*.lock")))
    return [path for path, state in states if state and now - state.st_mtime >= limits.stale_hours * HOUR]


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def to_delete(found: Sequence[Entry], limits: Limits) -> list[Entry]:
    """The failed entries, those that are too old, then the longest unused until the rest fits."""
    oldest_first = sorted(found, key=lambda entry: (-entry.age_days, str(entry.folder)))
    left = sum(entry.size for entry in found)
    doomed = []
    for entry in oldest_first:
        too_old = limits.max_age_days > 0 and entry.age_days > limits.max_age_days
        too_much = limits.max_bytes > 0 and left > limits.max_bytes
        failed = entry.is_failed and entry.age_days * DAY >= limits.stale_hours * HOUR
        if failed or ((too_old or too_much) and entry.age_days >= limits.keep_days):
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


def _succeeds(path: Path, deletion: Callable[[], None]) -> bool:
    try:
        deletion()
    except OSError as problem:
        print(f"{path} could not be deleted: {problem}", file=sys.stderr)
        return False
    return True


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Deletes old entries of a compile cache.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--max-age-days", type=float, required=True)
    parser.add_argument("--max-size-gib", type=float, required=True)
    parser.add_argument("--keep-days", type=float, required=True)
    parser.add_argument("--stale-hours", type=float, required=True)
    parser.add_argument("--dry-run", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    """Cleans one cache and says what it did; 1 when the folder is missing, or something could not be deleted."""
    options = _options(arguments)
    if not options.root.is_dir():
        print(f"{options.root} is no folder: is the cache mounted?", file=sys.stderr)
        return 1
    limits = Limits(options.max_age_days, int(options.max_size_gib * GIB), options.keep_days, options.stale_hours)
    now = time.time()
    locks = stale_locks(options.root, limits, now)
    found = list(find_entries(options.root, now))
    doomed = to_delete(found, limits)
    for entry in doomed:
        why = "failed, unchanged" if entry.is_failed else "unused"
        print(f"{entry.folder} {why} for {entry.age_days:.0f} days, {entry.size / GIB:.2f} GiB")
    unlocked = [lock for lock in locks if options.dry_run or _succeeds(lock, lock.unlink)]
    gone = [entry for entry in doomed if options.dry_run or _succeeds(entry.folder, partial(delete, entry))]
    total, freed = sum(entry.size for entry in found), sum(entry.size for entry in gone)
    verb = "would go" if options.dry_run else "deleted"
    print(f"{len(found)} entries, {total / GIB:.1f} GiB; {len(gone)} {verb}, {freed / GIB:.1f} GiB")
    print(f"{len(locks)} stale locks; {len(unlocked)} {verb}")
    return 0 if gone == doomed and unlocked == locks else 1
