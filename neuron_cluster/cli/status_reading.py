"""Reading the state of the environment of a command line, for `status` and for `report --status`."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime

from neuron_cluster.aws.session import close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.open_environment import check_environment_file
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.local_server import isolated_environ, running_endpoint
from neuron_cluster.deploy.preflight.checks import account_findings
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.pipeline import Checked
from neuron_cluster.project import require_project
from neuron_cluster.protocol.status import StatusSection
from neuron_cluster.rules.block_window import Today
from neuron_cluster.status.environment_status import EnvironmentStatus, read_status
from neuron_cluster.status.since_deploy import file_section, undated_section


@contextlib.contextmanager
def status_destination(options: argparse.Namespace, checked: Checked) -> Iterator[Destination]:
    """Raises ``InvalidEnvironment`` for credentials of another account, ``ToolkitError`` where no local AWS runs."""
    plan = checked.require_draft()
    if not options.local:
        destination = aws_destination(plan.account, plan.region)
        if findings := account_findings(plan, destination, checked.loaded.source.locate):
            raise InvalidEnvironment(findings)
        yield destination
        return
    endpoint = running_endpoint(require_project(options.project).root)
    if endpoint is None:
        hint = "start one with `neuron-cluster local` and deploy to it"
        raise ToolkitError("no local AWS runs for this project, so nothing is deployed on it", hint=hint)
    with isolated_environ():
        destination = local_destination(endpoint, plan.account, plan.region)
        try:
            yield destination
        finally:
            close_clients(destination.target)


def status_of_command(
    options: argparse.Namespace, checked: Checked, destination: Destination, *, may_run_commands: bool
) -> EnvironmentStatus:
    argument = as_argument(options.environment)
    return read_status(
        checked.require_draft(),
        destination,
        load_catalog(),
        at=datetime.now(UTC),
        argument=argument,
        may_run_commands=may_run_commands,
        of_file=lambda deployed: _file_section(options, deployed, argument),
    )


def _file_section(options: argparse.Namespace, deployed: datetime | None, argument: str) -> StatusSection:
    command = f"neuron-cluster validate{' --local' if options.local else ''} {argument}"
    if deployed is None:
        return undated_section(command)
    then = check_environment_file(options, as_of=Today.at(deployed))
    now = check_environment_file(options, as_of=Today.at(datetime.now(UTC)))
    return file_section(then.findings, now.findings, deployed, command)
