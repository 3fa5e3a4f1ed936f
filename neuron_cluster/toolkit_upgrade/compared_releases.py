"""Which two releases are compared: the one that the repository requires, and the one that it would take."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pinned_toolkit.requirement import (
    DISTRIBUTION,
    ToolkitRequirement,
    has_requirement,
    toolkit_requirements,
    wheel_line,
)
from neuron_cluster.pinned_toolkit.requirements_file import FILE
from neuron_cluster.project import Project
from neuron_cluster.toolkit_upgrade.release import Release, running_release
from neuron_cluster.toolkit_upgrade.release_install import Installation, WantedRelease, installed_release
from neuron_cluster.toolkit_upgrade.wheel_file import WheelFile, read_wheel


class ComparedReleases(Struct, frozen=True):
    before: Release
    after: Release

    @property
    def is_same(self) -> bool:
        return self.before == self.after


def compared_releases(
    project: Project, version: str | None, wheel: WheelFile | None, how: Installation, catalog: Catalog
) -> ComparedReleases:
    """Installs what does not run. With neither a version nor a wheel it is the running release where the repository
    requires an older one, else the newest that a folder or an index of the user has.

    Raises ``ToolkitError`` where the repository requires no release, the other one is older, it is not confirmed, or
    pip fails.
    """
    required = _required(project)
    specifiers = SpecifierSet(",".join(str(each.specifiers) for each in required))
    running = running_release()
    runs_required = specifiers.contains(running.version, prereleases=True)
    _require_newer(version, specifiers, running if runs_required else None)
    wanted = _wanted(version, wheel, is_running_new=not runs_required)
    before = (
        running if runs_required else installed_release(_of_requirements(project, required, specifiers), how, catalog)
    )
    is_running = wanted is None or (version is not None and Version(version) == Version(running.version))
    after = running if wanted is None or is_running else installed_release(wanted, how, catalog)
    if Version(after.version) < Version(before.version):
        raise _older(after.version, before.version)
    return ComparedReleases(before, after)


def _required(project: Project) -> list[ToolkitRequirement]:
    """Empty where the repository requires the toolkit without a version. Raises ``ToolkitError`` without a line."""
    if not has_requirement(project.root):
        raise ToolkitError(
            f"{project.root / FILE} does not require {DISTRIBUTION}: this is not a repository of `neuron-cluster init`",
            hint=f"write a line such as {wheel_line(running_release().version)} to {FILE}",
        )
    return toolkit_requirements(project.root)


def _wanted(version: str | None, wheel: WheelFile | None, *, is_running_new: bool) -> WantedRelease | None:
    """None: the running release."""
    if wheel is not None:
        return WantedRelease(wheel=wheel)
    if version is not None:
        return WantedRelease(f"{DISTRIBUTION}=={version}")
    return None if is_running_new else WantedRelease(DISTRIBUTION)


def _require_newer(version: str | None, specifiers: SpecifierSet, running: Release | None) -> None:
    """Before minutes of pip."""
    pinned = [each.version for each in specifiers if each.operator == "==" and not each.version.endswith(".*")]
    required = running.version if running is not None else next(iter(pinned), None)
    if version is not None and required is not None and Version(version) < Version(required):
        raise _older(version, required)


def _of_requirements(
    project: Project, required: Sequence[ToolkitRequirement], specifiers: SpecifierSet
) -> WantedRelease:
    """The wheel that the repository names, else what pip finds of these versions, with one of its digests."""
    sha256 = tuple(digest for each in required for digest in each.sha256)
    place = next((each.wheel for each in required if each.wheel), "")
    if "://" in place or place.startswith("file:"):
        return WantedRelease(f"{DISTRIBUTION} @ {place}", sha256=sha256)
    if place:
        return WantedRelease(wheel=read_wheel(project.root / place, f"{place} of {FILE}"), sha256=sha256)
    return WantedRelease(f"{DISTRIBUTION}{specifiers}", sha256=sha256)


def _older(version: str, required: str) -> ToolkitError:
    return ToolkitError(
        f"release {version} is older than {required}, which the repository requires",
        hint=f"name a newer release; to go back to an older one, restore {FILE} and the environments of that time",
    )
