"""The edits of an environment file for another Neuron SDK release, and the values that no edit can upgrade."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.nearest_software import works
from neuron_cluster.compatibility.neuron_software import known_containers, neuron_hosts
from neuron_cluster.findings.commands import Command
from neuron_cluster.upgrade.breaking_changes import BreakingChange
from neuron_cluster.upgrade.file_edit import FileEdit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_cluster.catalog.ami_release import AmiRelease
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.container import Container
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.resolved.neuron_host import NeuronHost
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class MovesInFile(Struct, frozen=True):
    """Scalars with a new value, and keys that cannot be upgraded."""

    edits: tuple[FileEdit, ...]
    left: tuple[BreakingChange, ...]


def moves_in_file(environment: ResolvedEnvironment, after: NeuronSdk, catalog: Catalog) -> MovesInFile:
    """Returns the changes of ``upgrade --write``. Only values that are set in the file are edited."""
    config = environment.config
    found: list[FileEdit | BreakingChange] = [*_sdk(config, after), *_containers(config, after, catalog)]
    sdks = _sdks_afterwards(config, found, after, catalog)
    for host in neuron_hosts(environment, catalog, None):
        if host.is_workstation:
            found += _workstation(host, config, after, catalog)
        else:
            found += _node_group(host, sdks, catalog)
    return MovesInFile(
        tuple(each for each in found if isinstance(each, FileEdit)),
        tuple(each for each in found if isinstance(each, BreakingChange)),
    )


def _sdk(config: EnvironmentConfig, after: NeuronSdk) -> Iterator[FileEdit]:
    if config.neuron.sdk != after.name:
        yield FileEdit(("neuron", "sdk"), config.neuron.sdk, after.name, "the target release")


def _containers(config: EnvironmentConfig, after: NeuronSdk, catalog: Catalog) -> Iterator[FileEdit | BreakingChange]:
    known = dict(known_containers(config, catalog))
    for position, reference in enumerate(config.neuron.containers):
        path = ("neuron", "containers", position)
        row = known.get(position)
        if row is None:
            yield BreakingChange(
                path, f"{reference} is not in the catalog", f"choose an image of {after.name} yourself"
            )
        elif row.neuron_sdk != after.name:
            image = image_of(row, after, catalog)
            if image is None:
                yield _no_image(path, row, after, catalog)
            else:
                registry = reference.rpartition("/")[0]
                name = f"{registry}/{image.name}" if registry else image.name
                why = f"{_changes_of(row, image)}the same image, built with {after.name}"
                yield FileEdit(path, reference, name, why)


def image_of(row: Container, after: NeuronSdk, catalog: Catalog) -> Container | None:
    """The image of the same repository and framework for a release, on all the families of this one; None without one.

    Of several, the one with the newest Python.
    """
    fitting = [
        each
        for each in catalog.containers
        if (each.repository, each.framework, each.neuron_sdk) == (row.repository, row.framework, after.name)
        and set(row.families) <= set(each.families)
    ]
    return max(fitting, key=lambda each: version_key(each.python), default=None)


def _changes_of(row: Container, image: Container) -> str:
    """Changes of Python and operating system, as a prefix of a sentence."""
    moved = [
        f"{title} {old} becomes {new}"
        for title, old, new in (
            ("Python", row.python, image.python),
            ("the system", row.operating_system, image.operating_system),
            ("the framework", row.framework_version, image.framework_version),
        )
        if old != new
    ]
    return f"{', '.join(moved)}; " if moved else ""


def _no_image(path: tuple[str | int, ...], row: Container, after: NeuronSdk, catalog: Catalog) -> BreakingChange:
    successor = catalog.containers.get(row.successor) if row.successor is not None else None
    to = f"its successor is {successor.image} (Neuron SDK {successor.neuron_sdk})" if successor is not None else ""
    stays = f"it is not changed, and keeps the runtime of {row.neuron_sdk}"
    return BreakingChange(path, f"no image of {after.name} replaces {row.name}", f"{to}; {stays}" if to else stays)


def _sdks_afterwards(
    config: EnvironmentConfig, found: list[FileEdit | BreakingChange], after: NeuronSdk, catalog: Catalog
) -> tuple[NeuronSdk, ...]:
    """The release of ``--to``, and those of containers that are not changed: hosts must support all their runtimes."""
    moved = {edit.path for edit in found if isinstance(edit, FileEdit)}
    staying = (row for at, row in known_containers(config, catalog) if ("neuron", "containers", at) not in moved)
    own = (catalog.neuron_sdks.get(row.neuron_sdk) for row in staying)
    return tuple(dict.fromkeys((after, *(sdk for sdk in own if sdk is not None))))


def _node_group(host: NeuronHost, sdks: tuple[NeuronSdk, ...], catalog: Catalog) -> Iterator[FileEdit | BreakingChange]:
    """A pinned release moves to the newest known one whose driver all the runtimes work with."""
    kubernetes = host.kubernetes_version
    if host.ami_release is None or kubernetes is None:
        return
    release = newest_release(sdks, kubernetes, catalog)
    version = release.release_version(kubernetes) if release is not None else None
    present = catalog.ami_releases.get(host.ami_release)
    if release is None or version is None:
        names = ", ".join(sdk.name for sdk in sdks)
        yield BreakingChange(
            host.path,
            f"the catalog has no AMI release for Kubernetes {kubernetes} with a driver for Neuron SDK {names}",
            f"pin one yourself, or remove the line and run `{Command.LOCK}`",
        )
    elif present != release:
        yield FileEdit(host.path, host.ami_release, version, f"includes driver {release.driver}")


def newest_release(sdks: tuple[NeuronSdk, ...], kubernetes_version: str, catalog: Catalog) -> AmiRelease | None:
    """The newest AMI release with a driver that the runtimes of all the releases work with; None when none is known."""
    return next(
        (
            each
            for each in catalog.ami_releases
            if each.release_version(kubernetes_version) is not None
            and all(works(sdk, each.driver, catalog) for sdk in sdks)
        ),
        None,
    )


def _workstation(
    host: NeuronHost, config: EnvironmentConfig, after: NeuronSdk, catalog: Catalog
) -> Iterator[FileEdit | BreakingChange]:
    """A retired DLAMI is replaced by its successor; another one is kept, with the software of its newest image."""
    dlami = host.dlami
    if dlami is None or dlami.neuron_sdk == after.name:
        return
    position = host.path[1]
    assert isinstance(position, int)  # noqa: S101 - a path of a list item
    workstation = config.workstations[position]
    successor = catalog.dlamis.get(dlami.successor) if dlami.successor is not None else None
    if successor is not None and host.instance_type.family not in successor.families:
        yield BreakingChange(
            host.path,
            f"{dlami.name} is retired with {dlami.neuron_sdk}, and its successor {successor.name} does not support "
            f"{host.instance_type.family}",
            "choose another one of `neuron-cluster catalog dlamis`; the instance keeps its image until then",
        )
        return
    if successor is None:
        yield BreakingChange(
            host.path,
            f"the newest image of {dlami.name} in the catalog has {dlami.neuron_sdk}, not {after.name}",
            "check `neuron-cluster catalog dlamis` once a newer image is published; until then the image is kept",
        )
        return
    yield FileEdit(host.path, dlami.name, successor.name, f"{dlami.name} is retired")
    environment = workstation.virtual_environment
    if environment is not None and environment not in successor.virtual_environments:
        path = (*host.machine_path, "virtual_environment")
        default = successor.default_virtual_environment
        if default is None:
            yield BreakingChange(path, f"{successor.name} has no virtual environment {environment}", "remove the line")
        else:
            yield FileEdit(path, environment, default, f"the first one of {successor.name}")
    if workstation.ami_id is not None:
        path = (*host.machine_path, "ami_id")
        yield BreakingChange(path, f"{workstation.ami_id} is an image of {dlami.name}", f"pin one of {successor.name}")
