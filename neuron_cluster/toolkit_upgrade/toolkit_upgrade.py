"""Changes of a repository by another release of the toolkit: its environments, and the files of ``init``."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.project import Project
from neuron_cluster.toolkit_upgrade.compared_releases import ComparedReleases
from neuron_cluster.toolkit_upgrade.environment_upgrade import EnvironmentUpgrade, environment_upgrade
from neuron_cluster.toolkit_upgrade.repository_files import RepositoryFiles, repository_files


class ToolkitUpgrade(Struct, frozen=True):
    releases: ComparedReleases
    environments: tuple[EnvironmentUpgrade, ...]
    repository: RepositoryFiles

    @property
    def changes_something(self) -> bool:
        return bool(self.repository.files) or any(each.changes_something for each in self.environments)

    @property
    def is_blocked(self) -> bool:
        return any(each.is_blocked for each in self.environments)


def toolkit_upgrade(project: Project, releases: ComparedReleases, report: Callable[[str], None]) -> ToolkitUpgrade:
    """Runs both releases. ``report`` gets a line before each environment. Raises ``ToolkitError`` on a full disk."""
    if releases.is_same:
        return ToolkitUpgrade(releases, (), RepositoryFiles())
    before, after = releases.before, releases.after
    files, upgrades = project.environment_files(), []
    for file in files:
        report(f"Releases {before.version} and {after.version} check and synthesize {file.display_name} …")
        upgrades.append(environment_upgrade(project, file, before, after))
    return ToolkitUpgrade(releases, tuple(upgrades), repository_files(project, files, before, after))
