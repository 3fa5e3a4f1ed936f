"""The contents of a compile cache, from a listing of its prefix: entries by the version of the compiler."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.s3 import S3Object

VERSION_FOLDER = re.compile(r"neuronx-?cc-(?P<version>[0-9]+(\.[0-9]+)*)(\+[0-9a-z]+)?")
"""``neuronx-cc-…`` of the bundled charts, and ``neuronxcc-…`` of libneuronxla, which wrote without them."""
ENTRY = re.compile(r"MODULE_.+|[0-9a-f]{32}")
"""Names of entries of Neuron's persistent cache, and of vLLM Neuron."""
LOG, GRAPH, LOCK = "model.log", "model.neff", ".lock"


class Entry(Struct, frozen=True):
    """One compiled graph: a folder."""

    path: str
    """Key of the folder."""
    objects: tuple[S3Object, ...]

    @property
    def is_failed(self) -> bool:
        """A compilation that failed left its log and no graph: every later reader of the cache fails with it."""
        names = {_name(each) for each in self.objects}
        return LOG in names and GRAPH not in names

    @property
    def changed(self) -> datetime:
        return max(each.modified for each in self.objects)


class VersionFolder(Struct, frozen=True):
    """A folder at the top of the cache. ``compiler`` is None where its name has no version."""

    name: str
    compiler: str | None
    objects: tuple[S3Object, ...]
    entries: tuple[Entry, ...]

    @property
    def size(self) -> int:
        return sum(each.size for each in self.objects)

    @property
    def failed(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.is_failed)

    @property
    def locks(self) -> tuple[S3Object, ...]:
        """Left behind by a compiler that was stopped, or of one that runs: readers wait for them."""
        return tuple(each for each in self.objects if each.key.endswith(LOCK))


def missing_folders(folders: Iterable[VersionFolder], prefix: str, expected: Iterable[str]) -> tuple[str, ...]:
    """Returns the folders that groups read (``neuronx-cc-…/trn1/lnc-default``) and that have no graph."""
    paths = [entry.path.removeprefix(prefix) for folder in folders for entry in folder.entries if not entry.is_failed]
    return tuple(name for name in dict.fromkeys(expected) if not any(path.startswith(f"{name}/") for path in paths))


def contents(objects: Iterable[S3Object], prefix: str) -> tuple[VersionFolder, ...]:
    """The folders below the prefix, by name. Objects outside of folders have the name of an empty folder."""
    folders: dict[str, list[S3Object]] = {}
    for each in objects:
        folder, slash, _ = each.key.removeprefix(prefix).partition("/")
        folders.setdefault(folder if slash else "", []).append(each)
    return tuple(_folder(name, found, prefix) for name, found in sorted(folders.items()))


def _folder(name: str, objects: list[S3Object], prefix: str) -> VersionFolder:
    matched = VERSION_FOLDER.fullmatch(name)
    entries: dict[str, list[S3Object]] = {}
    for each in objects:
        path = _entry_path(each.key, prefix)
        if path is not None:
            entries.setdefault(path, []).append(each)
    return VersionFolder(name, matched["version"] if matched is not None else None, tuple(objects), _entries(entries))


def _entries(objects: Mapping[str, list[S3Object]]) -> tuple[Entry, ...]:
    return tuple(Entry(path, tuple(found)) for path, found in sorted(objects.items()))


def _entry_path(key: str, prefix: str) -> str | None:
    parts = key.removeprefix(prefix).split("/")
    found = (position for position, part in enumerate(parts[:-1]) if ENTRY.fullmatch(part))
    position = next(found, None)
    return None if position is None else prefix + "/".join(parts[: position + 1])


def _name(each: S3Object) -> str:
    return each.key.rpartition("/")[2]
