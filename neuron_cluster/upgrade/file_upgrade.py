"""The upgrade of one environment file: components, the edited files, and the errors that they would have."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.commands import Command, of_file
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.lock.model import Lock
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import checked_file
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment
from neuron_cluster.upgrade.edited_files import EditedFile, edited_files, new_errors, others_with, require_no_pipe
from neuron_cluster.upgrade.upgrade import Upgrade, plan_upgrade


class FileUpgrade(Struct, frozen=True):
    """The changes of ``upgrade`` in a file and its bases."""

    file: EnvironmentFile
    upgrade: Upgrade
    edited: tuple[EditedFile, ...]
    new_errors: tuple[Finding, ...]
    """Errors that the edited files would have and the present ones do not have."""
    environment: ResolvedEnvironment
    """Before the edits."""
    commands: Mapping[Command, str]
    """Commands for the file, as they can be run."""
    lock: Lock | None
    also_changes: tuple[EnvironmentFile, ...] = ()
    """Other environments of the project that extend an edited base."""

    @property
    def can_be_written(self) -> bool:
        return bool(self.upgrade.edits) and not self.new_errors

    def write(self) -> None:
        """Edits the files. Raises ``ToolkitError`` when one cannot be written."""
        for each in self.edited:
            write_atomically(each.file.path, each.content)


def upgrade_file(file: EnvironmentFile, release: str, catalog: Catalog, local: Project | None) -> FileUpgrade:
    """The upgrade to a release, for the local AWS of a project or, without ``local``, for AWS; nothing is written.

    Raises ``InvalidEnvironment`` for a file with errors, ``ToolkitError`` for an unknown release.
    """
    require_no_pipe(file)
    after = _known_release(release, catalog)
    checked = checked_file(file, local)
    environment = checked.require_resolved()
    before = catalog.neuron_sdks.get(environment.config.neuron.sdk)
    if before is None:
        raise InvalidEnvironment(checked.findings)
    commands = of_file(as_argument(file.display_name), is_local=local is not None)
    upgrade = plan_upgrade(environment, before, after, catalog, checked.lock).with_commands(commands)
    edited = tuple(edited_files(checked.loaded, upgrade.edits))
    content = {each.file.path.resolve(): each.content for each in edited}
    others = tuple(others_with(content, file))
    new = tuple(error for each in (file, *others) for error in new_errors(each, content, local))
    return FileUpgrade(file, upgrade, edited, new, environment, commands, checked.lock, others)


def _known_release(name: str, catalog: Catalog) -> NeuronSdk:
    found = catalog.neuron_sdks.get(name)
    if found is None:
        near = did_you_mean(catalog.neuron_sdks.similar(name))
        hint = f"{near}`neuron-cluster catalog sdk` lists them"
        raise ToolkitError(f"--to {name!r} is not a Neuron SDK release in the catalog", hint=hint)
    return found
