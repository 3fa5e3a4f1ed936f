"""``neuron-cluster status``: the state of one deployed environment."""

from __future__ import annotations

import argparse
import sys
import threading
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.deploy.destination import Destination
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
    help_text = "ask the scheduler for its nodes on a login node: SendCommand, a write of Systems Manager"
    parser.add_argument("--run-command", action="store_true", help=help_text)
    parser.add_argument("--watch", action="store_true", help="read and print it again every minute, until Ctrl-C")
    help_text = "exit status 3 from this verdict on (default: warning); a part that was not read is 1 with both"
    parser.add_argument("--fail-on", choices=("warning", "error"), default="warning", help=help_text)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.status_reading import status_destination, status_of_command
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.protocol.status import Verdict
    from neuron_cluster.status.document import status_as_data

    if options.watch and options.format != "text":
        raise ToolkitError("--watch prints text for people", hint="leave out --format, or --watch")
    checked = check_environment_file(options)
    with status_destination(options, checked) as destination:
        while True:
            status = status_of_command(options, checked, destination, may_run_commands=options.run_command)
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


def _show(status: EnvironmentStatus, destination: Destination) -> None:
    from neuron_cluster.cli.status_text import status_text
    from neuron_cluster.cli.terminal import is_coloured, width

    print(status_text(status, destination.description, width(), colour=is_coloured(sys.stdout)), flush=True)
