"""The two sides of ``diff``: an environment file, and another file or what is deployed."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from neuron_cluster.aws.session import close_clients
from neuron_cluster.bounded_file import read_bounded
from neuron_cluster.changes.change_table import change_table
from neuron_cluster.changes.summary.edited_key import EditedKey, edited_keys, elsewhere_findings
from neuron_cluster.changes.summary.template_diff import TemplateDiff
from neuron_cluster.config.bases import piped_finding
from neuron_cluster.deploy.changed_drift import drift_of_changes
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.environment_identity import identity_findings
from neuron_cluster.deploy.local_server import isolated_environ, running_server
from neuron_cluster.deploy.named_commands import named_commands
from neuron_cluster.deploy.preflight.account import account_preflight
from neuron_cluster.deploy.preflight.checks import account_findings
from neuron_cluster.deploy.recorded_metadata import with_recorded_metadata
from neuron_cluster.deploy.template_diff import diff_deployed, diff_files
from neuron_cluster.deploy.work_folder import work_folder
from neuron_cluster.drift.records import EnvironmentDrift
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.lock.paths import locks_beside
from neuron_cluster.opened_environment import OpenedEnvironment, checked_file
from neuron_cluster.pipeline import Checked
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.project import EnvironmentFile, environment_file
from neuron_cluster.protocol.registry import registered


class EnvironmentDiff(Struct, frozen=True):
    """The result of ``diff``. ``edits`` and ``plan_before`` are known only when two files are compared."""

    opened: OpenedEnvironment
    before: str
    """The other side of the comparison, in words."""
    templates: TemplateDiff
    edits: tuple[EditedKey, ...] = ()
    plan_before: ClusterPlan | None = None
    drift: EnvironmentDrift | None = None
    """The drift of what a deploy changes; None where nothing was read."""

    @property
    def is_none(self) -> bool:
        return self.templates.is_none and not self.edits


def diff_with_file(
    opened: OpenedEnvironment, against: str, project: str | None, validations: ExitStack
) -> EnvironmentDiff:
    """Raises ``InvalidEnvironment`` when the other file has an error, or is of another account or Region (E9010).

    ``validations``, here and below, ends when CDK has validated the templates; then it raises ``SynthesisError`` for a
    violation. The diff is there before.

    A file without a folder of locks next to it, such as an earlier version out of a pipe, is read with the same lock.
    """
    file = environment_file(against, project)
    folder = validations.enter_context(work_folder())
    path = _readable_twice(file, folder)
    checked = _checked_other(opened, file, path)
    plan, table = checked.require_plan(), change_table(registered())
    old, new = checked.loaded.config, opened.checked.loaded.config
    edits = edited_keys(old, new, table) if old is not None and new is not None else []
    if elsewhere := elsewhere_findings(edits, opened.file.display_name, table):
        raise InvalidEnvironment([*named_commands(elsewhere, opened, {}, is_local=opened.is_local)])
    found = diff_files(opened.project.root, (str(path.absolute()), checked.locks), opened.for_app, validations)
    named = _named(found, opened, is_local=opened.is_local)
    return EnvironmentDiff(opened, file.display_name, named, tuple(edits), plan)


def _checked_other(opened: OpenedEnvironment, file: EnvironmentFile, path: Path) -> Checked:
    """The file that is compared with, which can be read at ``path``."""
    readable, beside = EnvironmentFile(path, file.display_name), locks_beside(file.path)
    if opened.is_local:
        return checked_file(readable, opened.project)
    return checked_file(readable, locks=beside if beside.is_dir() else opened.locks)


def diff_with_aws(opened: OpenedEnvironment, validations: ExitStack) -> EnvironmentDiff:
    """Raises ``InvalidEnvironment`` when the credentials belong to another account than the file names."""
    destination = aws_destination(opened.plan.account, opened.plan.region)
    if findings := account_findings(opened.plan, destination, opened.locate):
        raise InvalidEnvironment(findings)
    return _diff_deployed(opened, destination, f"the templates deployed in {destination.description}", validations)


def diff_with_local_aws(opened: OpenedEnvironment, validations: ExitStack) -> EnvironmentDiff:
    """Raises ``ToolkitError`` when no local AWS runs for this project."""
    server = running_server(opened.project.root)
    if server is None:
        hint = "start one with `neuron-cluster local` and deploy to it, or compare two files with --against FILE"
        raise ToolkitError("no local AWS runs for this project, so nothing is deployed on it", hint=hint)
    destination = local_destination(
        server.endpoint, opened.plan.account, opened.plan.region, is_fresh_account=server.is_fresh_account
    )
    with isolated_environ():
        try:
            before = f"the templates deployed on {destination.description}"
            return _diff_deployed(opened, destination, before, validations)
        finally:
            close_clients(destination.target)


def _diff_deployed(
    opened: OpenedEnvironment, destination: Destination, before: str, validations: ExitStack
) -> EnvironmentDiff:
    """With the lock that a deploy would write; here it is written to a temporary folder."""
    opened = with_recorded_metadata(opened, destination, validations.enter_context(work_folder()))
    found, comparison = diff_deployed(opened.project.root, opened.for_app, opened.plan, destination, validations)
    found = _with_identity(_named(found, opened, is_local=destination.is_local), opened, destination)
    return EnvironmentDiff(opened, before, found, drift=drift_of_changes(opened, destination, comparison))


def _with_identity(found: TemplateDiff, opened: OpenedEnvironment, destination: Destination) -> TemplateDiff:
    """The diff with the findings of a deploy about a renamed or moved environment, and about the account."""
    identity = identity_findings(opened, destination, None)
    account = account_preflight(opened, destination)
    return msgspec.structs.replace(found, findings=(*identity, *account, *found.findings))


def _named(found: TemplateDiff, opened: OpenedEnvironment, *, is_local: bool = False) -> TemplateDiff:
    return msgspec.structs.replace(
        found, findings=named_commands(found.findings, opened, found.keys, is_local=is_local)
    )


def _readable_twice(file: EnvironmentFile, folder: Path) -> Path:
    """The file; of a pipe, a copy: a pipe can be read once, and by this process only.

    Raises ``InvalidEnvironment`` with E1058 where a pipe extends a base: of which revision it is, is not known.
    """
    path = file.path
    if not path.is_fifo():
        return path
    copy = folder / "environment.yaml"
    try:
        content = read_bounded(path)
        copy.write_bytes(content)
    except OSError as error:
        raise ToolkitError(f"{path} cannot be read: {error.strerror}") from error
    if finding := piped_finding(content, file.display_name):
        raise InvalidEnvironment([finding])
    return copy
