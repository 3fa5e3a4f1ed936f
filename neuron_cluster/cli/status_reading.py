"""Reading the state of the environment of a command line, for `status` and for `report --status`."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cli.open_environment import check_environment_file
from neuron_cluster.deploy.deployed_destination import deployed_destination
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.lock.paths import as_argument
from neuron_cluster.pipeline import Checked
from neuron_cluster.project import require_project
from neuron_cluster.protocol.status import StatusSection
from neuron_cluster.rules.block_window import Today
from neuron_cluster.status.environment_status import EnvironmentStatus, read_status
from neuron_cluster.status.since_deploy import file_section, undated_section


def status_destination(options: argparse.Namespace, checked: Checked) -> AbstractContextManager[Destination]:
    """Where the environment of the command line is deployed: AWS, or with ``--local`` the running local AWS."""
    local = require_project(options.project) if options.local else None
    return deployed_destination(checked.require_draft(), checked.loaded.source.locate, local)


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
