"""Releases of the toolkit in the cache folder of the user, each in a virtual environment of its own."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from neuron_cluster.deploy.disk import unusable_folder
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION
from neuron_cluster.toolkit_upgrade.pip_install import PackageSource, install
from neuron_cluster.toolkit_upgrade.release import Release, release_in

DIGITS = 12
"""Of the SHA-256 of a wheel: two wheels can have the same version."""


class WantedRelease(Struct, frozen=True):
    """What pip installs, and the name of its folder where that is known before."""

    requirement: str
    folder: str | None = None


def release_of_version(version: str) -> WantedRelease:
    return WantedRelease(f"{DISTRIBUTION}=={version}", str(Version(version)))


def release_of_wheel(path: Path) -> WantedRelease:
    """Raises ``ToolkitError`` for a file that cannot be read, and for one that is not a wheel of the toolkit."""
    try:
        name, version, _, _ = parse_wheel_filename(path.name)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except InvalidWheelFilename as error:
        hint = f"the name of a wheel of the toolkit is {DISTRIBUTION.replace('-', '_')}-VERSION-py3-none-any.whl"
        raise ToolkitError(f"--wheel {path} is not the name of a wheel", hint=hint) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ToolkitError(f"--wheel {path} cannot be read: {reason}", hint="name a wheel that exists") from error
    if name != canonicalize_name(DISTRIBUTION):
        raise ToolkitError(f"--wheel {path} is a wheel of {name}", hint=f"name a wheel of {DISTRIBUTION}")
    return WantedRelease(str(path.absolute()), f"{version}-{digest[:DIGITS]}")


def installed_release(wanted: WantedRelease, source: PackageSource, report: Callable[[str], None]) -> Release:
    """Installs it, completely or not at all; one that is installed is used as it is.

    ``report`` gets lines of progress. Raises ``ToolkitError`` when pip fails or the folder cannot be written.
    """
    releases = releases_folder()
    if wanted.folder is not None and (found := release_in(releases / wanted.folder)) is not None:
        return found
    try:
        releases.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable_folder(releases, error, "name another folder for caches in XDG_CACHE_HOME") from error
    with work_folder(releases, ".new-") as beside:
        new = beside / "environment"
        report(f"pip installs {wanted.requirement} in {releases} (1.2 GB; minutes)")
        install(new, wanted.requirement, source, report)
        made = release_in(new)
        if made is None:
            raise ToolkitError(f"{wanted.requirement} has no release of {DISTRIBUTION}", hint="name another one")
        return _put(new, releases / (wanted.folder or made.version), beside / "replaced")


def releases_folder() -> Path:
    """Source: https://specifications.freedesktop.org/basedir-spec/latest/ (a relative path is ignored)."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    caches = given if given.is_absolute() else Path(os.path.expanduser("~"), ".cache")  # noqa: PTH111 - never raises
    return caches / DISTRIBUTION / "releases"


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
