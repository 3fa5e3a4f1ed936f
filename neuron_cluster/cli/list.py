"""``neuron-cluster list``: every environment file, what is deployed, and what no file describes."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_verb

if TYPE_CHECKING:
    from neuron_cluster.cli.environment_identity import ListedFile
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.identity import Claim
    from neuron_cluster.deploy.listing import ListedEnvironment
    from neuron_cluster.project import Project
    from neuron_cluster.report.price import GroupPrice

EXAMPLES = """  neuron-cluster list                       files, and what the AWS account has of them
  neuron-cluster list --region us-east-2    asks this Region, too
  neuron-cluster list --local               files, and what the running local AWS has
  neuron-cluster list --files               files alone; no account is asked"""

TEXT = """Show every environment file with its name, account and Region, and every
environment that is deployed there: stacks, status, data, machines and their
reference price, and the file that describes it. One that no file describes is
an orphan: it is billed, and the command that removes it is shown with it.
Exit status 1 when an account or Region was not asked, for instance without
credentials; the files are shown all the same."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "list", run, summary="show what is deployed, and its files", text=TEXT, examples=EXAMPLES)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--local", action="store_true", help="ask the running local AWS")
    where.add_argument("--files", action="store_true", help="show the files alone, and ask no account")
    parser.add_argument("--region", action="append", default=[], help="ask this Region, too; may be repeated")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.environment_identity import listed_files
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.listing import listed_environments
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.project import require_project

    project = require_project(options.project)
    files = listed_files(project)
    claims = [listed.claim for listed in files if listed.claim is not None]
    found: list[ListedEnvironment] = []
    not_asked: list[str] = []
    with interruptible(), contextlib.ExitStack() as stack:
        places = [] if options.files else _destinations(options, project, claims, stack, not_asked)
        for destination in places:
            local = "--local " if destination.is_local else ""
            place = f"{f' --account {destination.account}' if local else ''} --region {destination.region}"
            commands = (f"neuron-cluster destroy {local}{{}}", f"neuron-cluster destroy {local}--deployed {{}}{place}")
            try:
                found += listed_environments(destination, claims, *commands)
            except ToolkitError as error:
                not_asked.append(f"{destination.in_words} was not asked: {error.message}")
    _show(options.format, files, found, not_asked)
    return int(bool(not_asked))


def _destinations(
    options: argparse.Namespace,
    project: Project,
    claims: Sequence[Claim],
    stack: contextlib.ExitStack,
    not_asked: list[str],
) -> list[Destination]:
    """Accounts and Regions of the files and of what was deployed from here; what cannot be asked goes to the list."""
    from neuron_cluster.catalog.placeholder_account import placeholder_accounts
    from neuron_cluster.cli.deployment_record import DeploymentRecord
    from neuron_cluster.deploy.identity import AWS, LOCAL_AWS

    on = LOCAL_AWS if options.local else AWS
    recorded = [(row.account, row.region) for row in DeploymentRecord(project.root).rows() if row.on == on]
    accounts = {claim.account for claim in claims} | {account for account, _ in recorded}
    asked_for = [(account, region) for account in sorted(accounts) for region in options.region]
    places = sorted({*((claim.account, claim.region) for claim in claims), *recorded, *asked_for})
    if options.local:
        return stack.enter_context(_on_local_aws(project, places, not_asked))
    examples = placeholder_accounts()  # of the shipped files, which nobody can ask
    return _on_aws([place for place in places if place[0] not in examples], not_asked)


@contextlib.contextmanager
def _on_local_aws(
    project: Project, places: Sequence[tuple[str, str]], not_asked: list[str]
) -> Iterator[list[Destination]]:
    from neuron_cluster.aws.session import close_clients
    from neuron_cluster.deploy.destination import local_destination
    from neuron_cluster.deploy.local_server import cut_off, running_endpoint

    endpoint = running_endpoint(project.root)
    if endpoint is None:
        not_asked.append("no local AWS runs for this project: start one with `neuron-cluster local`")
        yield []
        return
    with cut_off():
        destinations = [local_destination(endpoint, account, region) for account, region in places]
        try:
            yield destinations
        finally:
            for destination in destinations:
                close_clients(destination.target)


def _on_aws(places: Sequence[tuple[str, str]], not_asked: list[str]) -> list[Destination]:
    """The Regions of the account that the credentials belong to."""
    from neuron_cluster.aws.session import AwsTarget
    from neuron_cluster.aws.sts import caller_account
    from neuron_cluster.deploy.destination import aws_destination
    from neuron_cluster.errors import ToolkitError

    if not places:
        return []
    try:
        caller = caller_account(AwsTarget(places[0][1]))
    except ToolkitError as error:
        not_asked.append(f"AWS was not asked: {error.message}")
        return []
    others = sorted({account for account, _ in places} - {caller})
    not_asked += [f"AWS account {each} was not asked: your credentials are of account {caller}" for each in others]
    regions = sorted({region for _, region in places})
    return [aws_destination(caller, region) for region in regions]


def _prices(listed: ListedEnvironment) -> list[GroupPrice]:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.report.machine_price import machine_price

    catalog = load_catalog()
    return [
        machine_price(
            each.name, (each.instance_type, each.capacity_type), (each.desired, each.most), listed.region, catalog
        )
        for each in listed.held.machines
    ]


def _show(
    output_format: str, files: Sequence[ListedFile], found: Sequence[ListedEnvironment], not_asked: Sequence[str]
) -> None:
    from neuron_cluster.cli.terminal import print_json, print_paragraph, print_tables
    from neuron_cluster.deploy.listing import environment_table, orphan_lines
    from neuron_cluster.report.machine_price import price_words

    if output_format == "json":
        print_json(
            {"files": [_file_data(each) for each in files], "deployed": [_data(each) for each in found]}
            | {"not_asked": list(not_asked), "findings": []}
        )
        return
    print_tables([_files_table(files)])
    for each in found:
        print_tables([environment_table(each, price_words(_prices(each)))])
        for line in orphan_lines(each):
            print(line)
    for line in not_asked:
        print_paragraph(line, sys.stderr)


def _files_table(files: Sequence[ListedFile]) -> Any:
    from neuron_cluster.table import Table

    rows = tuple(
        (listed.file.shown_as, claim.name, claim.account, claim.region)
        if (claim := listed.claim) is not None
        else (listed.file.shown_as, "cannot be read", "-", "-")
        for listed in files
    )
    return Table("Files", ("file", "environment", "account", "Region"), rows)


def _file_data(listed: ListedFile) -> dict[str, Any]:
    claim = listed.claim
    named = {"environment": claim.name, "account": claim.account, "region": claim.region} if claim is not None else {}
    return {"file": listed.file.shown_as, **(named or dict.fromkeys(("environment", "account", "region")))}


def _data(listed: ListedEnvironment) -> dict[str, Any]:
    from neuron_cluster.report.plain_data import plain

    stacks = [
        {
            "name": stack.name,
            "status": stack.status,
            "resources": listed.held.resources[stack.name],
            "protected": stack.is_protected,
        }
        for stack in listed.environment.stacks
    ]
    since = listed.environment.since
    return {
        "environment": listed.environment.name,
        "account": listed.account,
        "region": listed.region,
        "since": since.isoformat() if since is not None else None,
        "stacks": stacks,
        "machines": plain(_prices(listed)),
        "data": listed.held.data or None,
        "files": list(listed.files),
        "is_orphan": listed.is_orphan,
        "remove": listed.remove,
    }
