"""The upgrade of one environment file: components, the edited file, and the errors that it would have."""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec import Struct

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.lock.paths import locks_beside
from neuron_cluster.pipeline import check_environment
from neuron_cluster.project import EnvironmentFile
from neuron_cluster.upgrade.file_edit import edited_text
from neuron_cluster.upgrade.upgrade import Upgrade, plan_upgrade


class FileUpgrade(Struct, frozen=True):
    """What ``upgrade`` does to a file."""

    file: EnvironmentFile
    upgrade: Upgrade
    edited: bytes
    new_errors: tuple[Finding, ...]
    """Errors that the edited file would have and the present file does not have."""

    @property
    def can_be_written(self) -> bool:
        return bool(self.upgrade.edits) and not self.new_errors

    def write(self) -> None:
        """Edits the file. Raises ``ToolkitError`` when it cannot be written."""
        write_atomically(self.file.path, self.edited)


def upgrade_file(file: EnvironmentFile, release: str, catalog: Catalog) -> FileUpgrade:
    """Writes nothing. Raises ``InvalidEnvironment`` for a file with errors, ``ToolkitError`` for an unknown release."""
    after = _known_release(release, catalog)
    checked = check_environment(file.path, display_name=file.display_name, catalog=catalog)
    environment = checked.require_resolved()
    before = catalog.neuron_sdk(environment.config.neuron.sdk)
    if before is None:
        raise InvalidEnvironment(checked.findings)
    upgrade = plan_upgrade(environment, before, after, catalog, checked.lock)
    edited = edited_text(file.path.read_bytes().decode(), upgrade.edits).encode()
    return FileUpgrade(file, upgrade, edited, _new_errors(file, edited, checked.findings))


def _known_release(name: str, catalog: Catalog) -> NeuronSdk:
    found = catalog.neuron_sdk(name)
    if found is None:
        near = did_you_mean(catalog.similar_neuron_sdks(name))
        hint = f"{near}`neuron-cluster catalog sdk` lists them"
        raise ToolkitError(f"--to {name!r} is not a Neuron SDK release in the catalog", hint=hint)
    return found


def _new_errors(file: EnvironmentFile, edited: bytes, present: tuple[Finding, ...]) -> tuple[Finding, ...]:
    with tempfile.TemporaryDirectory() as folder:
        beside = Path(folder) / file.path.name
        beside.write_bytes(edited)
        checked = check_environment(beside, display_name=file.display_name, locks=locks_beside(file.path))
    known = {(each.id, each.location.path) for each in present}
    errors = (each for each in checked.findings if each.severity is Severity.ERROR)
    return tuple(each for each in errors if (each.id, each.location.path) not in known)
