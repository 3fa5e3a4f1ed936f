"""``neuron-cluster status``: the state of one deployed environment."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.pipeline import Checked
    from neuron_cluster.protocol.status import StatusSection
    from neuron_cluster.status.environment_status import EnvironmentStatus

EXAMPLES = """  neuron-cluster status train-trn1             what AWS reports of it now
  neuron-cluster status train-trn1 --local     what the running local AWS reports
  neuron-cluster status train-trn1 --watch     again every minute, until Ctrl-C
  neuron-cluster status train-trn1 --fail-on error
  neuron-cluster status batch --run-command    with nodes as their scheduler sees them
  neuron-cluster status train-trn1 --format json \\
    | jq '.sections[].lines[] | select(.verdict != "healthy")'"""

TEXT = """Ask AWS for the state of a deployed environment and compare it with the file:
stacks, control plane, add-ons, access entries, compute groups with the reason
why instances are missing, reservations, storage, keys, endpoints, alarms and
budgets. The worst comes first; each line that is not healthy has a cause and
the next command. Only reads: it changes nothing, and deploys nothing.

With --run-command it makes one call more, ssm:SendCommand, which AWS counts as
a write: where only the scheduler knows its nodes, a login node runs its command
with the document AWS-RunShellScript, and nodes that are down or drained have
their reason.

Verdicts: "error" does not work, or its data is in danger; "warning" works, and
should be looked at; "not read" is unknown, as a permission is missing or AWS
did not respond; "healthy" was read and is as it should be. What was not looked
at is listed at the end: nothing is read from the Kubernetes API.

Exit status: 0 healthy; 3 not healthy; 1 could not look, as a part was not read
and nothing else is wrong, or as there are no credentials."""

INTERVAL_SECONDS = 60
"""Seconds between two readings of ``--watch``: a reading of a large environment takes up to 200 calls."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "status", run, summary="show the state of a deployed environment", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="ask the running local AWS")
    words = "ask the scheduler for its nodes on a login node: SendCommand, a write of Systems Manager"
    parser.add_argument("--run-command", action="store_true", help=words)
    parser.add_argument("--watch", action="store_true", help="read and print it again every minute, until Ctrl-C")
    words = "exit status 3 from this verdict on (default: warning); a part that was not read is 1 with both"
    parser.add_argument("--fail-on", choices=("warning", "error"), default="warning", help=words)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.protocol.status import Verdict
    from neuron_cluster.status.document import status_as_data

    if options.watch and options.format != "text":
        raise ToolkitError("--watch prints text for people", hint="leave out --format, or --watch")
    checked = check_environment_file(options)
    with _destination(options, checked) as destination:
        while True:
            status = _read(options, checked, destination)
            if options.format == "json":
                print_json(status_as_data(status))
            else:
                _show(status, destination)
            if not options.watch:
                return status.exit_status(Verdict(options.fail_on))
            print(flush=True)
            wait_for_next(INTERVAL_SECONDS)


def wait_for_next(seconds: float) -> None:
    """Waits between two readings; Ctrl-C ends the command."""
    threading.Event().wait(seconds)


def _read(options: argparse.Namespace, checked: Checked, destination: Destination) -> EnvironmentStatus:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.status.environment_status import read_status

    argument = as_argument(options.environment)
    return read_status(
        checked.require_draft(),
        destination,
        load_catalog(),
        at=datetime.now(UTC),
        argument=argument,
        may_run_commands=options.run_command,
        of_file=lambda deployed: _file_section(options, deployed, argument),
    )


def _file_section(options: argparse.Namespace, deployed: datetime | None, argument: str) -> StatusSection:
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.rules.block_window import Today
    from neuron_cluster.status.since_deploy import file_section, undated_section

    command = f"neuron-cluster validate{' --local' if options.local else ''} {argument}"
    if deployed is None:
        return undated_section(command)
    then = check_environment_file(options, as_of=Today.at(deployed))
    now = check_environment_file(options, as_of=Today.at(datetime.now(UTC)))
    return file_section(then.findings, now.findings, deployed, command)


@contextlib.contextmanager
def _destination(options: argparse.Namespace, checked: Checked) -> Iterator[Destination]:
    """Raises ``InvalidEnvironment`` for credentials of another account, ``ToolkitError`` where no local AWS runs."""
    from neuron_cluster.aws.session import close_clients
    from neuron_cluster.deploy.destination import aws_destination, local_destination
    from neuron_cluster.deploy.local_server import isolated_environ, running_endpoint
    from neuron_cluster.deploy.preflight.checks import account_findings
    from neuron_cluster.errors import InvalidEnvironment, ToolkitError
    from neuron_cluster.project import require_project

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


def _show(status: EnvironmentStatus, destination: Destination) -> None:
    from neuron_cluster.cli.status_text import status_text
    from neuron_cluster.cli.terminal import is_coloured, width

    print(status_text(status, destination.description, width(), colour=is_coloured(sys.stdout)), flush=True)
