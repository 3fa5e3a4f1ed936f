"""``neuron-cluster list``: every environment file, what is deployed, and what no file describes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_verb

if TYPE_CHECKING:
    from neuron_cluster.deploy.environment_identity import ListedFile
    from neuron_cluster.deploy.identity import Claim
    from neuron_cluster.deploy.inventory import Inventory
    from neuron_cluster.deploy.listing import ListedEnvironment
    from neuron_cluster.project import Project
    from neuron_cluster.report.price import GroupPrice
    from neuron_cluster.status.environment_status import EnvironmentStatus

EXAMPLES = """  neuron-cluster list                     what is deployed on AWS, and files
  neuron-cluster list --region us-east-2  query this Region too
  neuron-cluster list --local             what is deployed on the local AWS
  neuron-cluster list --status            with one verdict for each environment
  neuron-cluster list --files             files only; makes no AWS call"""

TEXT = """Show every environment file with its name, account and Region, and every
environment that is deployed there: stacks and their status, data, the instances
of the deployed templates with their reference price, and the file that
describes it. The status is "complete" where every stack of the file exists and
its last operation succeeded; else it shows whether a deploy or a destroy ended
early. Sizes of node groups, endpoints and other settings are not read: `deploy`
shows them. An environment without a file is an orphan: it is billed, and the
command that deletes it is printed. Exit status 1 if an account or Region could
not be queried, for example without credentials; the files are listed anyway.
With --status the state of each environment that one file describes is read as
`status` reads it, with up to 200 calls, and shown as one verdict."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "list", run, summary="show what is deployed, and its files", text=TEXT, examples=EXAMPLES)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--local", action="store_true", help="query the running local AWS")
    where.add_argument("--files", action="store_true", help="list only the files; makes no AWS call")
    parser.add_argument("--status", action="store_true", help="read and show whether each environment is healthy")
    parser.add_argument("--region", action="append", default=[], help="query this Region too; may be repeated")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.interruption import interruptible
    from neuron_cluster.deploy.environment_identity import listed_files
    from neuron_cluster.deploy.inventory import Inventory, deployed_inventory
    from neuron_cluster.project import require_project

    project = require_project(options.project)
    files = listed_files(project)
    claims = [listed.claim for listed in files if listed.claim is not None]
    with interruptible():
        found = (
            Inventory()
            if options.files
            else deployed_inventory(project, claims, options.region, is_local=options.local)
        )
        health = _health(project, claims, found, is_local=options.local) if options.status else {}
    _show(options.format, files, found, health)
    return int(bool(found.not_read))


def _prices(listed: ListedEnvironment) -> list[GroupPrice]:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.report.deployed_price import machine_prices

    return machine_prices(listed.held.machines, listed.region, load_catalog())


def _health(
    project: Project, claims: Sequence[Claim], inventory: Inventory, *, is_local: bool
) -> dict[str, EnvironmentStatus | None]:
    """The state of each environment that one file describes, by the file; None where the file has errors."""
    from neuron_cluster.cli.listed_health import listed_health

    described = {each.files[0] for each in inventory.found if len(each.files) == 1}
    return listed_health(project, [claim for claim in claims if claim.file in described], is_local=is_local)


def _show(
    output_format: str,
    files: Sequence[ListedFile],
    inventory: Inventory,
    health: Mapping[str, EnvironmentStatus | None],
) -> None:
    from msgspec.structs import replace

    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.deploy.listing import environment_table, orphan_lines
    from neuron_cluster.report.machine_price import describe_price

    found = [finding for each in inventory.found for finding in each.findings]
    if output_format == "json":
        print_json(
            {
                "files": [_file_data(each) for each in files],
                "deployed": [_data(each) | _health_data(each, health) for each in inventory.found],
            }
            | {"not_asked": list(inventory.not_read), "findings": [finding.as_dict() for finding in found]}
        )
        return
    print_tables([_files_table(files)])
    for each in inventory.found:
        table = environment_table(each, describe_price(_prices(each)))
        print_tables([replace(table, rows=(*table.rows, *_health_rows(each, health)))])
        for line in orphan_lines(each):
            print(line)
    print_findings(found)
    for line in inventory.not_read:
        print_paragraph(line, sys.stderr)


def _health_rows(
    listed: ListedEnvironment, health: Mapping[str, EnvironmentStatus | None]
) -> Iterator[tuple[str, str]]:
    """Yields the verdict, where it was requested for the environment."""
    from neuron_cluster.cli.listed_health import health_text

    if listed.files and listed.files[0] in health:
        yield "health", health_text(health[listed.files[0]])


def _health_data(listed: ListedEnvironment, health: Mapping[str, EnvironmentStatus | None]) -> dict[str, str]:
    if not listed.files or listed.files[0] not in health:
        return {}
    status = health[listed.files[0]]
    return {"health": "not_read" if status is None else status.verdict.value}


def _files_table(files: Sequence[ListedFile]) -> Any:
    from neuron_cluster.table import Table

    rows = tuple(
        (listed.file.display_name, claim.name, claim.account, claim.region)
        if (claim := listed.claim) is not None
        else (listed.file.display_name, "cannot be read", "-", "-")
        for listed in files
    )
    return Table("Files", ("file", "environment", "account", "Region"), rows)


def _file_data(listed: ListedFile) -> dict[str, Any]:
    claim = listed.claim
    named = {"environment": claim.name, "account": claim.account, "region": claim.region} if claim is not None else {}
    return {"file": listed.file.display_name, **(named or dict.fromkeys(("environment", "account", "region")))}


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
        "status": listed.status,
        "missing": list(listed.state.missing),
        "since": since.isoformat() if since is not None else None,
        "stacks": stacks,
        "machines": plain(_prices(listed)),
        "data": listed.held.data or None,
        "files": list(listed.files),
        "is_orphan": listed.is_orphan,
        "remove": listed.remove,
    }
