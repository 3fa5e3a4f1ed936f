"""The difference between two releases of the toolkit for one environment."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from neuron_cluster.changes.summary.template_diff import TemplateDiff
from neuron_cluster.deploy.template_diff import diff_assemblies
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.findings.commands import of_environment, render
from neuron_cluster.findings.finding import Finding, Severity, has_error
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.toolkit_upgrade.environment_outcome import EnvironmentOutcome, outcomes
from neuron_cluster.toolkit_upgrade.release import Release


class EnvironmentUpgrade(Struct, frozen=True):
    """Changes of an environment when the repository takes the other release."""

    file: EnvironmentFile
    appeared: tuple[Finding, ...]
    """Findings of the other release alone."""
    disappeared: tuple[Finding, ...]
    errors: tuple[Finding, ...]
    """Every error that the environment has with the other release."""
    templates: TemplateDiff | None
    """Changes of a deploy; None where one of the releases synthesizes nothing."""

    @property
    def name(self) -> str:
        return self.file.path.stem

    @property
    def changes_something(self) -> bool:
        is_changed = self.templates is not None and self.templates.changes_something
        return is_changed or bool(self.appeared or self.disappeared)

    @property
    def is_blocked(self) -> bool:
        """Whether a deploy would stop: errors in the file, or an edit that replaces data or the cluster."""
        return bool(self.errors) or (self.templates is not None and has_error(self.templates.findings))


def environment_upgrade(project: Project, file: EnvironmentFile, before: Release, after: Release) -> EnvironmentUpgrade:
    """Runs both releases. Raises ``ToolkitError`` where that is not possible, such as on a full disk."""
    with work_folder() as folder:
        old, new = outcomes(project, file, (before, after), folder)
        return EnvironmentUpgrade(
            file,
            appeared=_without(new, old),
            disappeared=_without(old, new),
            errors=tuple(finding for finding in new.findings if finding.severity is Severity.ERROR),
            templates=_templates(file, old, new),
        )


def _without(found: EnvironmentOutcome, known: EnvironmentOutcome) -> tuple[Finding, ...]:
    """Findings that the other one does not have; another wording of a finding is the same finding."""
    places = {(each.id, each.location.file, each.location.path) for each in known.findings}
    return tuple(each for each in found.findings if (each.id, each.location.file, each.location.path) not in places)


def _templates(file: EnvironmentFile, old: EnvironmentOutcome, new: EnvironmentOutcome) -> TemplateDiff | None:
    if old.assembly is None or new.assembly is None:
        return None
    found = diff_assemblies(old.assembly, new.assembly)
    name = file.path.stem
    commands = of_environment(name, name, name_for_app=name, is_local=False)
    named = tuple(msgspec.structs.replace(each, hint=render(each.hint, commands)) for each in found.findings)
    return msgspec.structs.replace(found, findings=named)
