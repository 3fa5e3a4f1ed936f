"""``neuron-cluster lock``: pin what only an account can return."""

from __future__ import annotations

import argparse
import functools
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.deploy.lock_update import LockFile, LockUpdate
    from neuron_cluster.lock.diff import LockChange
    from neuron_cluster.table import Table

EXAMPLES = """  neuron-cluster lock dev-inf2          write environments/locks/dev-inf2.yaml
  neuron-cluster diff dev-inf2          show its effect; then commit the lock
  neuron-cluster lock dev-inf2 --check  exit status 1 if the lock is out of date
  neuron-cluster lock --local dev-inf2  query the local AWS"""

TEXT = """Pin what depends on the account and the day: ids of Deep Learning AMIs and
releases of EKS AMIs in the Region, versions of managed add-ons, digests of
charts and images, the existing VPC, IAM roles of permission sets of teams, and
whether the deployed Lustre file system has a metadata configuration. Makes
read-only calls (sts, ssm, eks, ecr, ec2, iam, cloudformation, fsx) and queries
the registries, changes nothing in the account, and writes one file for version
control. `validate`, `synth` and `deploy` read that file and make no
queries of their own, so builds are reproducible. A value in the environment
file overrides its lock. A new lock lists what changed; `diff` then shows the
effect, for example that nodes are replaced one by one.

Images run by digest if their chart accepts one. Charts and the other images are
pulled by version or tag; `deploy` to AWS compares their digests first."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "lock", run, summary="pin AMIs, add-on versions and image digests", text=TEXT,
        examples=EXAMPLES,
    )  # fmt: skip
    add_environment(parser)
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if the lock is out of date")
    parser.add_argument(
        "--local", action="store_true", help="query the local AWS and write to .local/; such a lock is not used for AWS"
    )
    parser.add_argument(
        "--no-registry", action="store_true", help="do not query registries for digests (--local never does)"
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.deploy.lock_update import check_lock, lock_file, resolve_lock, update_lock
    from neuron_cluster.errors import InvalidEnvironment

    opened = open_environment(options, with_lock=False)
    file = lock_file(opened, is_local=options.local)
    if options.check and file.before.findings:
        raise InvalidEnvironment(file.before.findings)
    progress = functools.partial(print, file=sys.stderr, flush=True)
    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        resolved = resolve_lock(opened, destination, progress, with_digests=not (options.no_registry or options.local))
        update = (check_lock if options.check else update_lock)(resolved, file)
    _show(options, file, update)
    return int(options.check and bool(update.changes))


def _show(options: argparse.Namespace, file: LockFile, update: LockUpdate) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_line, print_tables
    from neuron_cluster.lock.diff import change_as_data

    changes = update.changes
    if options.format == "json":
        rows = [change_as_data(change) for change in changes]
        findings = [finding.as_dict() for finding in update.warnings]
        print_json({"lock": str(file.path), "is_written": update.is_written, "changes": rows, "findings": findings})
        return
    print_findings(update.warnings)
    if changes:
        print_tables(
            [_new_table(changes, file.display_name)]
            if file.before.lock is None
            else [_table(changes, file.display_name, is_check=options.check)]
        )
    if options.check:
        print_line(f"{file.display_name}: {'out of date' if changes else 'up to date'}")
        return
    print_line(f"{file.display_name}: {'written' if update.is_written else 'unchanged, up to date'}")
    if changes:
        local = " --local" if options.local else ""
        print_line(f"`neuron-cluster diff{local} {options.environment}` shows its effect on the deployed environment.")


def _new_table(changes: Sequence[LockChange], name: str) -> Table:
    """Returns the table of a first lock: without earlier values; the file has each value in full with its source."""
    from neuron_cluster.findings.text import counted
    from neuron_cluster.lock.diff import pin_rows
    from neuron_cluster.table import Table

    title = f"{name}: {counted(len(changes), 'new value')}"
    return Table(title, ("what", "name", "value"), tuple(pin_rows(changes)), "The file has each value with its source.")


def _table(changes: Sequence[LockChange], title: str, *, is_check: bool) -> Table:
    from neuron_cluster.lock.diff import change_row
    from neuron_cluster.table import Table

    columns = (
        ("", "what", "name", "in the lock", "in the account") if is_check else ("", "what", "name", "before", "now")
    )
    return Table(title, columns, tuple(change_row(change) for change in changes))
