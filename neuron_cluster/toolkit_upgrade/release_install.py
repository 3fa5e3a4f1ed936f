"""Releases of the toolkit in the cache folder of the user, each in a virtual environment named by its digest."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.deploy.disk import unusable_folder
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION
from neuron_cluster.toolkit_upgrade.package_source import PackageSource
from neuron_cluster.toolkit_upgrade.pip_install import Pip
from neuron_cluster.toolkit_upgrade.release import WHEEL_FOLDER, Release, release_in
from neuron_cluster.toolkit_upgrade.wheel_file import WheelFile, read_wheel


class WantedRelease(Struct, frozen=True):
    """A requirement of pip, or a wheel. ``sha256``: what the repository pins, if anything."""

    requirement: str = ""
    wheel: WheelFile | None = None
    sha256: Collection[str] = ()


class Installation(Struct, frozen=True):
    """How what is missing is installed.

    ``confirm`` is called before a release is installed, and so before its first run: it may raise.
    """

    source: PackageSource
    confirm: Callable[[WheelFile], None]
    report: Callable[[str], None]


def installed_release(wanted: WantedRelease, how: Installation, catalog: Catalog) -> Release:
    """Installs it, completely or not at all; one that is installed from the same wheel is used as it is.

    Raises ``ToolkitError`` when it is not confirmed, pip fails or the folder cannot be written.
    """
    releases = releases_folder()
    if wanted.wheel is not None:
        _require_pinned(wanted.wheel, wanted.sha256)
    if wanted.wheel is not None and (found := release_in(releases / wanted.wheel.folder)) is not None:
        return found
    try:
        releases.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_folder(releases, error, "name another folder for caches in XDG_CACHE_HOME") from error
    with work_folder(releases, ".new-") as beside:
        pip = Pip(beside, how.report)
        wheel = wanted.wheel or _downloaded(wanted, pip, how.source, beside / "wheel", catalog)
        if (found := release_in(releases / wheel.folder)) is not None:
            return found
        if wheel.sha256 not in wanted.sha256:
            how.confirm(wheel)
        how.report(f"pip installs {wheel.name} in {releases} (1.2 GB; minutes)")
        _install(wheel, pip, how.source, beside)
        return _put(pip.environment, releases / wheel.folder, beside / "replaced")


def releases_folder() -> Path:
    """Source: https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path is ignored)."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    caches = given if given.is_absolute() else Path(os.path.expanduser("~"), ".cache")  # noqa: PTH111 - never raises
    return caches / DISTRIBUTION / "releases"


def _downloaded(wanted: WantedRelease, pip: Pip, source: PackageSource, folder: Path, catalog: Catalog) -> WheelFile:
    place = pip.source_of_toolkit(wanted.requirement, source, catalog)
    path = pip.download(wanted.requirement, place, folder)
    wheel = read_wheel(path, f"{path.name}, which pip downloaded,", is_of_index=bool(place.indexes))
    _require_pinned(wheel, wanted.sha256)
    return wheel


def _require_pinned(wheel: WheelFile, sha256: Collection[str]) -> None:
    if sha256 and wheel.sha256 not in sha256:
        raise ToolkitError(
            f"{wheel.name} has the SHA-256 {wheel.sha256}, which is not the one that the repository pins",
            hint="get the wheel from where the digest comes from; nothing was run",
        )


def _install(wheel: WheelFile, pip: Pip, source: PackageSource, beside: Path) -> None:
    checked = beside / "checked"
    checked.mkdir()
    (checked / wheel.name).write_bytes(wheel.content)
    pip.install(checked / wheel.name, source)
    if release_in(pip.environment) is None:
        raise ToolkitError(f"{wheel.name} has no release of {DISTRIBUTION}", hint="name another one")
    (pip.environment / WHEEL_FOLDER).mkdir()
    (checked / wheel.name).rename(pip.environment / WHEEL_FOLDER / wheel.name)


def _put(new: Path, folder: Path, replaced: Path) -> Release:
    """Gives the new environment its name, unless another command was faster. Its Python works under any name."""
    try:
        if folder.exists() and release_in(folder) is None:  # its Python was deleted
            folder.rename(replaced)
        if not folder.exists():
            new.rename(folder)
    except OSError as error:
        if release_in(folder) is None:
            raise unusable_folder(folder.parent, error) from error
    found = release_in(folder)
    if found is None:
        raise ToolkitError(f"{folder} was deleted by another command", hint="run the command again")
    return found
