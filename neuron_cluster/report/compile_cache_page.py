"""The compile cache of a deployed environment: a table for people, and data for ``--format json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from neuron_cluster.compile_cache.cleaning import Cleaning
from neuron_cluster.compile_cache.compilers_in_use import CompilersInUse
from neuron_cluster.compile_cache.contents import VersionFolder
from neuron_cluster.compile_cache.fillers import CacheFiller
from neuron_cluster.findings.text import GB, counted, listed, size_text
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan
from neuron_cluster.report.text_page import Pairs
from neuron_cluster.table import Table

MB = 10**6
COLUMNS = ("folder", "neuronx-cc", "entries", "size", "failed", "locks", "used by")


def cache_as_data(folders: Sequence[VersionFolder], in_use: CompilersInUse) -> list[dict[str, Any]]:
    return [
        {
            "folder": each.name,
            "compiler": each.compiler,
            "entries": len(each.entries),
            "bytes": each.size,
            "failed": [entry.path for entry in each.failed],
            "locks": [lock.key for lock in each.locks],
            "used_by": list(in_use.environments.get(each.compiler or "", ())),
        }
        for each in folders
    ]


def cache_table(folders: Sequence[VersionFolder], in_use: CompilersInUse, place: str) -> Table:
    rows = tuple(
        (
            each.name or "(no folder)",
            each.compiler or "-",
            f"{len(each.entries):,}",
            _size(each.size),
            f"{len(each.failed):,}",
            f"{len(each.locks):,}",
            ", ".join(in_use.environments.get(each.compiler or "", ())) or "-",
        )
        for each in folders
    )
    return Table(f"Compile cache {place}", COLUMNS, rows, "failed: a log without a graph, which ends every reader.")


def notes(folders: Sequence[VersionFolder], in_use: CompilersInUse, fillers: Sequence[CacheFiller]) -> Iterator[str]:
    """Yields notes below the table."""
    if not folders:
        yield f"The cache is empty: {_either(fillers)} fills it." if fillers else "The cache is empty."
    for release, environments in in_use.not_known.items():
        yield (
            f"The catalog has no version of neuronx-cc for SDK {release} ({listed(environments)}): its graphs could be "
            "in any folder, so `cache clean` keeps them all."
        )


def missing_lines(missing: Sequence[str], fillers: Sequence[CacheFiller]) -> Iterator[str]:
    until = f", until {_either(fillers)} fills it" if fillers else ""
    for folder in missing:
        yield f"{folder} has no graph: workloads there compile at their start{until}."


def empty_cache_words(environment: str, fillers: Sequence[CacheFiller]) -> str:
    """Returns the words on a folder that no environment file used before."""
    commands = listed((f"`{each.command(environment)}`" for each in fillers), "or")
    fills = f"{commands} fills it, and " if fillers else ""
    return (
        "has no graph of the compiler before, so workloads compile at their start: after the deploy "
        f"{fills}`neuron-cluster cache status {environment}` names folders without a graph"
    )


def _either(fillers: Sequence[CacheFiller]) -> str:
    return listed((each.name for each in fillers), "or")


def cache_lines(
    before: CompileCachePlan | None,
    after: CompileCachePlan | None,
    environment: str,
    fillers: Sequence[CacheFiller],
) -> Pairs:
    """Folders that the edit of a file adds to its compile cache, which had others before."""
    if before is None or after is None:
        return ()
    known = {each.folder for each in before.compiled_for}
    added = dict.fromkeys(each.folder for each in after.compiled_for if each.folder not in known)
    return tuple((folder, empty_cache_words(environment, fillers)) for folder in added)


def cleaning_as_data(cleaning: Cleaning) -> dict[str, Any]:
    return {
        "folders": [folder.name for folder in cleaning.folders],
        "failed": [entry.path for entry in cleaning.failed],
        "locks": [lock.key for lock in cleaning.locks],
        "objects": len(cleaning.objects),
        "bytes": cleaning.size,
    }


def cleaning_lines(cleaning: Cleaning) -> Iterator[str]:
    """One for each folder and entry that goes, and the sum."""
    for folder in cleaning.folders:
        yield f"folder {folder.name}: {counted(len(folder.entries), 'graph')}, {_size(folder.size)}, no user"
    for entry in cleaning.failed:
        yield f"failed {entry.path}"
    for lock in cleaning.locks:
        yield f"lock   {lock.key}"
    if cleaning.objects:
        yield f"{counted(len(cleaning.objects), 'object')}, {_size(cleaning.size)}"


def _size(size: int) -> str:
    """One graph has tens to hundreds of MB."""
    return size_text(size) if size >= GB else f"{size / MB:,.1f} MB"
