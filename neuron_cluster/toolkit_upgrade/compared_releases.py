"""Which two releases are compared: the one that the repository requires, and the one that it would take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import DISTRIBUTION, FILE, has_requirement, toolkit_requirements
from neuron_cluster.project import Project
from neuron_cluster.toolkit_upgrade.pip_install import PackageSource
from neuron_cluster.toolkit_upgrade.release import Release, running_release
from neuron_cluster.toolkit_upgrade.release_install import (
    WantedRelease,
    installed_release,
    release_of_version,
    release_of_wheel,
)


class ComparedReleases(Struct, frozen=True):
    before: Release
    after: Release

    @property
    def is_same(self) -> bool:
        return self.before == self.after


def compared_releases(
    project: Project, version: str | None, wheel: Path | None, source: PackageSource, report: Callable[[str], None]
) -> ComparedReleases:
    """Installs what does not run. With neither a version nor a wheel it is the running release where the repository
    requires an older one, else the newest of the index.

    Raises ``ToolkitError`` where the repository requires no release, the other one is older, or pip fails.
    """
    specifiers = _required(project)
    running = running_release()
    runs_required = specifiers.contains(running.version, prereleases=True)
    wanted = _wanted(version, wheel, is_running_new=not runs_required)
    _require_newer(version, specifiers, running if runs_required else None)
    before = running if runs_required else installed_release(_of_specifiers(specifiers), source, report)
    is_running = wanted is None or (version is not None and Version(version) == Version(running.version))
    after = running if wanted is None or is_running else installed_release(wanted, source, report)
    if Version(after.version) < Version(before.version):
        raise _older(after.version, before.version)
    return ComparedReleases(before, after)


def _required(project: Project) -> SpecifierSet:
    """Empty where the repository requires the toolkit without a version. Raises ``ToolkitError`` without a line."""
    if not has_requirement(project.root):
        raise ToolkitError(
            f"{project.root / FILE} does not require {DISTRIBUTION}: this is not a repository of `neuron-cluster init`",
            hint=f"write a line such as {DISTRIBUTION}=={running_release().version} to {FILE}",
        )
    return SpecifierSet(",".join(str(each.specifiers) for each in toolkit_requirements(project.root)))


def _wanted(version: str | None, wheel: Path | None, *, is_running_new: bool) -> WantedRelease | None:
    """None: the running release."""
    if wheel is not None:
        return release_of_wheel(wheel)
    if version is not None:
        return release_of_version(version)
    return None if is_running_new else WantedRelease(DISTRIBUTION)


def _require_newer(version: str | None, specifiers: SpecifierSet, running: Release | None) -> None:
    """Before minutes of pip."""
    pinned = [each.version for each in specifiers if each.operator == "==" and not each.version.endswith(".*")]
    required = running.version if running is not None else next(iter(pinned), None)
    if version is not None and required is not None and Version(version) < Version(required):
        raise _older(version, required)


def _of_specifiers(specifiers: SpecifierSet) -> WantedRelease:
    (*others, last) = specifiers
    if not others and last.operator == "==" and not last.version.endswith(".*"):
        return release_of_version(last.version)
    return WantedRelease(f"{DISTRIBUTION}{specifiers}")


def _older(version: str, required: str) -> ToolkitError:
    return ToolkitError(
        f"release {version} is older than {required}, which the repository requires",
        hint=f"name a newer release; to go back to an older one, restore {FILE} and the environments of that time",
    )
