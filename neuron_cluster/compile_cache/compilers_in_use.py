"""Versions of neuronx-cc that the environments of a project use: their graphs stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.loader import load_environment
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import as_argument, lock_command, lock_path, locks_beside
from neuron_cluster.lock.reader import load_lock
from neuron_cluster.project import EnvironmentFile, Project, shown_path
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.protocol.schedulers import schedulers


class CompilersInUse(Struct, frozen=True):
    """``environments`` are the names of files, by version of neuronx-cc."""

    environments: Mapping[str, tuple[str, ...]]
    not_known: Mapping[str, tuple[str, ...]]
    """Releases of the SDK whose neuronx-cc the catalog does not have, with the files that use them."""


def compilers_in_use(project: Project, catalog: Catalog, opened: EnvironmentFile | None = None) -> CompilersInUse:
    """Returns compilers of the SDK of each file, its containers and DLAMIs, images of its lock, and those of workloads.

    ``opened`` is the file of the cache, which need not be in the project. Raises ``ToolkitError`` for a file or lock
    that cannot be read: which graphs it uses is not known.
    """
    known: dict[str, tuple[str, ...]] = {}
    unknown: dict[str, tuple[str, ...]] = {}
    for file in _files(project, opened):
        name = file.path.stem
        for release in sorted(set(_releases(file, catalog))):
            sdk = catalog.neuron_sdks.get(release)
            compiler = sdk.compiler if sdk is not None else None
            if compiler is None:
                unknown[release] = (*unknown.get(release, ()), name)
            elif name not in known.get(compiler, ()):
                known[compiler] = (*known.get(compiler, ()), name)
    return CompilersInUse(known, unknown)


def _files(project: Project, opened: EnvironmentFile | None) -> list[EnvironmentFile]:
    files = project.environment_files()
    there = {file.path.resolve() for file in files}
    return files if opened is None or opened.path.resolve() in there else [*files, opened]


def _releases(file: EnvironmentFile, catalog: Catalog) -> Iterator[str]:
    config = load_environment(file.path).config
    if config is None:
        raise ToolkitError(
            f"{file.display_name} cannot be read: which compiled graphs it uses is not known",
            hint=f"`neuron-cluster validate {as_argument(file.display_name)}` shows what to repair",
        )
    yield config.neuron.sdk
    lock = _lock(file)
    for name in (*config.neuron.containers, *(lock.images if lock is not None else ())):
        row = catalog.containers.get(name)
        if row is not None:
            yield row.neuron_sdk
    yield from _of_images(config, catalog, lock)
    yield from _of_workloads(config, catalog)


def _lock(file: EnvironmentFile) -> Lock | None:
    path = lock_path(locks_beside(file.path), file.path.stem)
    loaded = load_lock(path, display_name=shown_path(path), again=lock_command(file.display_name))
    if loaded.findings:
        raise InvalidEnvironment(loaded.findings)
    return loaded.lock


def _of_images(config: EnvironmentConfig, catalog: Catalog, lock: Lock | None) -> Iterator[str]:
    """Yields the SDK releases of the DLAMIs of groups and workstations."""
    for group in resolve_environment(config, catalog).compute_groups:
        row = group.instance_type
        release = group.neuron_host(row, catalog, lock).sdk if row is not None and row.chip is not None else None
        if release is not None:
            yield release


def _of_workloads(config: EnvironmentConfig, catalog: Catalog) -> Iterator[str]:
    """A chip that the newest release does not support runs images of an older one."""
    groups = resolve_environment(config, catalog).compute_groups
    chips = {group.instance_type.chip for group in groups if group.instance_type is not None}
    for chip in filter(None, (catalog.chips.get(name) for name in chips if name is not None)):
        for scheduler in schedulers():
            yield from scheduler.compiling_releases(chip, config.neuron.sdk, catalog)
