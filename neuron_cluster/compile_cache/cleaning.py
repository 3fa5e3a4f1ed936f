"""Entries of a compile cache that can be deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.s3 import S3Object
from neuron_cluster.compile_cache.compilers_in_use import CompilersInUse
from neuron_cluster.compile_cache.contents import Entry, VersionFolder


class Cleaning(Struct, frozen=True):
    """Version folders that no environment uses; failed entries and locks of the other folders."""

    folders: tuple[VersionFolder, ...]
    failed: tuple[Entry, ...]
    locks: tuple[S3Object, ...]

    @property
    def objects(self) -> tuple[S3Object, ...]:
        """All that goes, each once."""
        found = [each for folder in self.folders for each in folder.objects]
        found += [each for entry in self.failed for each in entry.objects]
        return tuple({each.key: each for each in (*found, *self.locks)}.values())

    @property
    def size(self) -> int:
        return sum(each.size for each in self.objects)


def cleaning(folders: Sequence[VersionFolder], in_use: CompilersInUse, oldest: datetime) -> Cleaning:
    """Failed entries and locks go that changed before ``oldest``, and folders that no environment uses.

    Folders without a version in their name stay, and all while the compiler of an environment is not known.
    """
    unused = tuple(each for each in folders if not in_use.not_known and _is_unused(each, in_use))
    left = [folder for folder in folders if folder not in unused]
    return Cleaning(
        unused,
        tuple(entry for folder in left for entry in folder.failed if entry.changed < oldest),
        tuple(lock for folder in left for lock in folder.locks if lock.modified < oldest),
    )


def _is_unused(folder: VersionFolder, in_use: CompilersInUse) -> bool:
    return folder.compiler is not None and folder.compiler not in in_use.environments
