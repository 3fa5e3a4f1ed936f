"""Reading the compile cache of a deployed environment, for the actions of ``neuron-cluster cache``."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.cli.arguments import add_environment

if TYPE_CHECKING:
    from neuron_cluster.compile_cache.compilers_in_use import CompilersInUse
    from neuron_cluster.compile_cache.contents import VersionFolder
    from neuron_cluster.compile_cache.fillers import CacheFiller
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.removal import Removal


class CacheContents(Struct, frozen=True):
    """The contents of the cache, and the part of them that the environments of the project use."""

    removal: Removal
    destination: Destination
    bucket: str
    prefix: str
    folders: tuple[VersionFolder, ...]
    in_use: CompilersInUse

    @property
    def missing(self) -> tuple[str, ...]:
        """Folders that node groups and workstations of the environment read, without a graph."""
        from neuron_cluster.compile_cache.contents import missing_folders

        opened = self.removal.opened
        storage = opened.plan.storage if opened is not None else None
        cache = storage.compile_cache if storage is not None else None
        expected = [each.folder for each in cache.compiled_for] if cache is not None else []
        return missing_folders(self.folders, self.prefix, expected)

    @property
    def fillers(self) -> tuple[CacheFiller, ...]:
        """Workloads of the environment that fill the cache."""
        from neuron_cluster.compile_cache.fillers import cache_fillers
        from neuron_cluster.protocol.registry import schedulers_of

        opened = self.removal.opened
        return cache_fillers(schedulers_of(opened.plan) if opened is not None else ())

    @property
    def notes(self) -> list[str]:
        """The notes below the table of folders."""
        from neuron_cluster.report.compile_cache_page import notes

        return list(notes(self.folders, self.in_use, self.fillers))

    @property
    def place(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


def add_cache_arguments(parser: argparse.ArgumentParser) -> None:
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="on the local AWS")


@contextlib.contextmanager
def read_cache(options: argparse.Namespace) -> Iterator[CacheContents]:
    """Lists the prefix. Raises ``ToolkitError`` for an environment that is not deployed with a bucket."""
    from neuron_cluster.aws.s3 import objects_below
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.compile_cache.compilers_in_use import compilers_in_use
    from neuron_cluster.compile_cache.contents import contents
    from neuron_cluster.deploy.removal import removal_of_file, require_own_account
    from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX

    removal = removal_of_file(str(options.environment), options.project, is_local=options.local)
    stream = talk_stream(options.format)
    with opened_destination(removal, stream, local=options.local) as destination:
        require_own_account(removal, destination)
        bucket = _bucket(removal, destination)
        found = contents(objects_below(destination.target, bucket, COMPILE_CACHE_PREFIX), COMPILE_CACHE_PREFIX)
        file = removal.opened.file if removal.opened is not None else None
        in_use = compilers_in_use(removal.project, load_catalog(), file)
        yield CacheContents(removal, destination, bucket, COMPILE_CACHE_PREFIX, found, in_use)


def _bucket(removal: Removal, destination: Destination) -> str:
    from neuron_cluster.deploy.data_deletion import find_data
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.plan.core_stacks import STORAGE

    name = removal.plan.name
    buckets = find_data(destination.target, f"{name}-{STORAGE.stack_key}").buckets
    if not buckets:
        local = " --local" if destination.is_local else ""
        raise ToolkitError(
            f"{name} has no checkpoint bucket on {destination.description}",
            hint=f"set storage.checkpoint_bucket and storage.compile_cache, then `neuron-cluster deploy{local} {name}`",
        )
    return buckets[0]
