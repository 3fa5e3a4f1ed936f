"""A deploy from its checks to the agreement on its changes, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from neuron_cluster.deploy.busy_stacks import require_idle, wait_for_changes
from neuron_cluster.deploy.changed_drift import drift_of_changes, findings_of_drift
from neuron_cluster.deploy.deployment import Changes, Deployment
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.environment_identity import record_deployment
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.deploy.named_commands import named_commands
from neuron_cluster.deploy.preflight.account import deploy_preflight, preflight_context
from neuron_cluster.deploy.preflight.check import Stage
from neuron_cluster.deploy.preflight.run import findings_of
from neuron_cluster.deploy.recorded_metadata import with_recorded_metadata
from neuron_cluster.deploy.rollback import failed_rollbacks, finish_rollbacks
from neuron_cluster.deploy.timed_assembly import expected_text
from neuron_cluster.drift.findings import part_text
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.commands import Command, of_file
from neuron_cluster.findings.finding import Finding, has_error
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.opened_environment import OpenedEnvironment


class Operator(Protocol):
    """The person or program that runs a deploy."""

    def report(self, findings: Sequence[Finding]) -> None:
        """Shows warnings."""

    def report_file(self, findings: Sequence[Finding]) -> None:
        """Shows warnings of the environment file; on the local AWS those that matter there."""

    def announce(self, opened: OpenedEnvironment) -> None:
        """Shows what will be deployed and what it costs."""

    def progress(self, line: str) -> None:
        """Shows one line of progress."""

    def confirm(self, question: str) -> bool:
        """Whether the prompt was shown: `--yes` confirms in advance. Raises ``ToolkitError`` after a no."""


def prepare_deploy(
    opened: OpenedEnvironment, destination: Destination, operator: Operator, *, accepted_name: str | None
) -> OpenedEnvironment:
    """Runs every check and finishes failed rollbacks; the environment, with the lock of what is deployed.

    ``accepted_name`` is the name of a second environment that may be built after a rename. Raises
    ``InvalidEnvironment`` for what must not be deployed, and ``ToolkitError`` for stacks that cannot be changed now.
    """
    _check_account(opened, destination, operator)
    opened = with_recorded_metadata(opened, destination)
    _check_file(opened, destination, operator, accepted_name)
    operator.announce(opened)
    if destination.prepares_account:
        bootstrap_if_needed(opened.project.root, destination, operator.progress)
        make_named_resources(destination.local_endpoint, opened.plan)
    wait_for_changes(opened.plan, destination, operator.progress)
    _require_none(findings_of(Stage.STACKS, preflight_context(opened, destination)), operator)
    _finish_rollbacks(opened, destination, operator)
    return opened


def accepted_changes(
    opened: OpenedEnvironment, deployment: Deployment, operator: Operator, *, accepted_deletion: str | None = None
) -> Changes:
    """Shows the changes and prompts. Raises ``InvalidEnvironment`` for an edit that a guard rejects.

    ``accepted_deletion`` is the name of the environment of which services may delete data afterwards.
    """
    destination = deployment.destination
    changes = deployment.changes(accepts_deletion=accepted_deletion is not None)
    _require_none(named_commands(changes.findings, opened, changes.keys, is_local=destination.is_local), operator)
    for line in changes.lines():
        operator.progress(f"  {line}")
    if (drift := drift_of_changes(opened, destination, changes.comparison, reads_protection=True)) is not None:
        found = findings_of_drift(drift, opened)
        operator.report(named_commands(found, opened, {}, is_local=destination.is_local))
        command = of_file(as_argument(opened.file.display_name), is_local=destination.is_local)[Command.DRIFT]
        operator.progress(f"  changes outside of CloudFormation: {part_text(drift)}; `{command}` reads all")
    if new := deployment.timed_new_stacks(changes):
        operator.progress(f"Expected time of the new stacks: {expected_text(new)}.")
    if not destination.is_local:
        operator.confirm(f"Deploy {opened.plan.name} to {destination.description}?")
    require_idle(opened.plan, destination)  # hours may pass between prompt and reply; another deploy may have gone on
    record_deployment(opened, destination)
    return changes


def require_name_of_deletion(opened: OpenedEnvironment, typed: str | None) -> None:
    """Raises ``ToolkitError`` when a deletion is accepted for another name than the environment's."""
    name = opened.plan.name
    if typed not in (None, name):
        message = f'--accept-deletion names "{typed}", but the environment in the file is "{name}"; nothing was changed'
        raise ToolkitError(
            message, hint=f"to accept that data of this environment is deleted: --accept-deletion {name}"
        )


def _check_account(opened: OpenedEnvironment, destination: Destination, operator: Operator) -> None:
    """Before everything else, because no call must reach another account than that of the file."""
    found = deploy_preflight(preflight_context(opened, destination))
    if has_error(found):
        raise InvalidEnvironment([*(opened.findings if not destination.is_local else ()), *found])
    operator.report(found)


def _check_file(
    opened: OpenedEnvironment, destination: Destination, operator: Operator, accepted_name: str | None
) -> None:
    """Checks pinned images and digests, and the environment that the file describes, against the account."""
    if not destination.is_local:
        operator.report_file(opened.findings)
    context = preflight_context(opened, destination, accepted_name)
    _require_none(findings_of(Stage.PINS, context), operator)
    if destination.is_local:
        operator.report_file(opened.findings)
    _require_none(findings_of(Stage.NAME, context), operator)


def _finish_rollbacks(opened: OpenedEnvironment, destination: Destination, operator: Operator) -> None:
    """Before anything is compared: until then the stacks hold a half of two templates."""
    names = failed_rollbacks(opened.plan, destination)
    if names and not destination.is_local:
        operator.confirm(f"Continue the failed rollback of {', '.join(names)} on {destination.description}?")
    finish_rollbacks(names, destination, operator.progress)


def _require_none(findings: Sequence[Finding], operator: Operator) -> None:
    """Reports warnings. Raises ``InvalidEnvironment`` where one is an error."""
    if has_error(findings):
        raise InvalidEnvironment(findings)
    operator.report(findings)
