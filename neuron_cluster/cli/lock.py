"""``neuron-cluster lock``: pin what only an account can tell."""

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

EXAMPLES = """  neuron-cluster lock dev-inf2          writes environments/locks/dev-inf2.yaml
  neuron-cluster diff dev-inf2          what that does; then commit the lock
  neuron-cluster lock dev-inf2 --check  does AWS offer newer ones? 1 if so
  neuron-cluster lock --local dev-inf2  ask the local AWS, for `deploy --local`"""

TEXT = """Pin what only an account can tell: the ids of Deep Learning AMIs and the
releases of EKS AMIs in this Region, the versions of managed add-ons, and the
digests of charts and images; and record whether the deployed Lustre file system
has a metadata configuration. Asks with read-only calls (sts, ssm, eks, ecr,
cloudformation, fsx) and the registries, changes nothing in the account, and
writes one file for version control. `validate`, `synth` and `deploy` read it
and ask nobody: the same file and lock give the same templates, for ever. A
value in the environment file wins over its lock. Writing a lock anew shows
what moves; `diff` then shows what that does, for instance that node groups are
replaced node by node.

Images run by digest where their chart takes one. The others, and charts, are
pulled by tag or version: `deploy` to AWS compares their digests first."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "lock", run, summary="pin images and add-on versions as the account tells them", text=TEXT,
        examples=EXAMPLES,
    )  # fmt: skip
    add_environment(parser)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit status 1 when the account tells something else"
    )
    parser.add_argument(
        "--local", action="store_true", help="ask the local AWS; the lock goes to .local/ and is never read for AWS"
    )
    parser.add_argument("--no-registry", action="store_true", help="do not ask for digests (--local never does)")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.environment import open_environment
    from neuron_cluster.deploy.lock_update import check_lock, lock_file, resolve_lock, update_lock
    from neuron_cluster.errors import InvalidEnvironment

    opened = open_environment(options, with_lock=False)
    file = lock_file(opened, is_local=options.local)
    if options.check and file.before.findings:
        raise InvalidEnvironment(file.before.findings)
    say = functools.partial(print, file=sys.stderr, flush=True)
    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        resolved = resolve_lock(opened, destination, say, with_digests=not (options.no_registry or options.local))
        update = (check_lock if options.check else update_lock)(resolved, file)
    _show(options, file, update)
    return int(options.check and bool(update.changes))


def _show(options: argparse.Namespace, file: LockFile, update: LockUpdate) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables

    changes = update.changes
    if options.format == "json":
        rows = [{"path": list(c.path), "kind": c.kind, "before": c.before, "after": c.after} for c in changes]
        findings = [finding.as_dict() for finding in update.warnings]
        print_json({"lock": str(file.path), "is_written": update.is_written, "changes": rows, "findings": findings})
        return
    print_findings(update.warnings)
    if changes:
        print_tables([_table(changes, file.shown_as, is_check=options.check)])
    if options.check:
        print(f"{file.shown_as}: {'not what the account tells' if changes else 'what the account tells'}")
        return
    print(f"{file.shown_as}: {'written' if update.is_written else 'as it was, the account tells the same'}")
    if changes:
        local = " --local" if options.local else ""
        print(f"`neuron-cluster diff{local} {options.environment}` shows what that does to what is deployed.")


def _table(changes: Sequence[LockChange], title: str, *, is_check: bool) -> Table:
    from neuron_cluster.lock.diff import change_row
    from neuron_cluster.table import Table

    columns = (
        ("", "what", "name", "in the lock", "in the account") if is_check else ("", "what", "name", "before", "now")
    )
    return Table(title, columns, tuple(change_row(change) for change in changes))
