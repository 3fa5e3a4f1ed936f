"""``neuron-cluster lock``: pin what only an account can tell."""

from __future__ import annotations

import argparse
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.lock_resolver import ResolvedLockInputs
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.lock.diff import LockChange
    from neuron_cluster.lock.reader import LoadedLock
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
    from neuron_cluster.lock.diff import drift, lock_changes
    from neuron_cluster.lock.paths import local_locks, lock_command, lock_path, locks_beside
    from neuron_cluster.lock.reader import load_lock
    from neuron_cluster.project import shown_path

    opened = open_environment(options, with_lock=False)
    locks = local_locks(opened.project.root) if options.local else locks_beside(opened.file.path)
    path, again = lock_path(locks, opened.plan.name), lock_command(opened.file.shown_as, locks)
    before = load_lock(path, shown_as=shown_path(path), again=again)
    if options.check:
        _require_readable(before)
    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        answers = _ask(opened, destination, with_digests=not (options.no_registry or options.local))
        is_new = not options.check and _write(answers, path, again)
    warnings = _warnings(answers, before, path)
    changes = (drift if options.check else lock_changes)(before.lock, answers.lock)
    _show(options, path, changes, warnings, is_new=is_new)
    return int(options.check and bool(changes))


def _require_readable(before: LoadedLock) -> None:
    from neuron_cluster.errors import InvalidEnvironment

    if before.findings:
        raise InvalidEnvironment(before.findings)


def _ask(opened: OpenedEnvironment, destination: Destination, *, with_digests: bool) -> ResolvedLockInputs:
    """Raises ``InvalidEnvironment`` for a placeholder account, and for credentials of another account."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.catalog.placeholder_account import placeholder_accounts
    from neuron_cluster.cli.registries import registries_for
    from neuron_cluster.deploy.lock_resolver import LockResolver
    from neuron_cluster.deploy.preflight.checks import refusals_before_lock
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.planning.build_lock_inputs import build_lock_inputs

    say = functools.partial(print, file=sys.stderr, flush=True)
    say(f"Asking {destination.in_words}.")
    if findings := refusals_before_lock(opened.plan, destination, placeholder_accounts(), opened.locate):
        raise InvalidEnvironment(findings)
    registries = registries_for(opened.plan.account, destination.target) if with_digests else None
    if registries is None and opened.plan.eks is not None:
        say("Registries are not asked: digests of charts and images stay null.")
    questions = build_lock_inputs(opened.plan, load_catalog())
    return LockResolver(destination.target, registries, say).ask(questions)


def _write(answers: ResolvedLockInputs, path: Path, again: str) -> bool:
    from neuron_cluster.lock.reader import require_readable
    from neuron_cluster.lock.writer import lock_text, write_lock
    from neuron_cluster.project import shown_path

    text = lock_text(answers.lock, answers.sources, again)
    require_readable(text, shown_as=shown_path(path))
    return write_lock(path, text)


def _warnings(answers: ResolvedLockInputs, before: LoadedLock, path: Path) -> list[Finding]:
    """Digests that are not known, and what was wrong with the lock that is replaced."""
    import shlex

    from neuron_cluster.findings.finding import Finding, Location
    from neuron_cluster.project import shown_path

    place = Location(shown_path(path))
    replaced = [f"the earlier lock could not be read and was replaced: {each.message}" for each in before.findings]
    hint = "run it again where the registry can be reached, or leave it so: without a digest its tag is pulled"
    earlier = f"`git diff {shlex.quote(shown_path(path))}` shows what moved where version control has the earlier one"
    return [
        *(Finding("W9108", place, message, hint) for message in answers.unanswered),
        *(Finding("W9109", place, message, earlier) for message in replaced),
    ]


def _show(
    options: argparse.Namespace, path: Path, changes: Sequence[LockChange], warnings: Sequence[Finding], *, is_new: bool
) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables
    from neuron_cluster.project import shown_path

    if options.format == "json":
        rows = [{"path": list(c.path), "kind": c.kind, "before": c.before, "after": c.after} for c in changes]
        findings = [finding.as_dict() for finding in warnings]
        print_json({"lock": str(path), "is_written": is_new, "changes": rows, "findings": findings})
        return
    print_findings(warnings)
    if changes:
        print_tables([_table(changes, path, is_check=options.check)])
    if options.check:
        print(f"{shown_path(path)}: {'not what the account tells' if changes else 'what the account tells'}")
        return
    print(f"{shown_path(path)}: {'written' if is_new else 'as it was, the account tells the same'}")
    if changes:
        local = " --local" if options.local else ""
        print(f"`neuron-cluster diff{local} {options.environment}` shows what that does to what is deployed.")


def _table(changes: Sequence[LockChange], path: Path, *, is_check: bool) -> Table:
    from neuron_cluster.lock.diff import change_row
    from neuron_cluster.project import shown_path
    from neuron_cluster.table import Table

    columns = (
        ("", "what", "name", "in the lock", "in the account") if is_check else ("", "what", "name", "before", "now")
    )
    return Table(shown_path(path), columns, tuple(change_row(change) for change in changes))
