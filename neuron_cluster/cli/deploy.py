"""``neuron-cluster deploy``: build an environment on AWS or on the local AWS."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.deploy.deployment import Changes, Deployment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.progress import StackProgress
    from neuron_cluster.findings.finding import Finding

EXAMPLES = """  neuron-cluster deploy --local train-trn1   on the local AWS: no account, no cost
  neuron-cluster deploy train-trn1           on AWS: checks account and Region, shows the price, asks
  neuron-cluster deploy train-trn1 --yes     on AWS, without asking"""

TEXT = """Build or change an environment with the CDK command, and show what exists
afterwards, read back from the services. On AWS it first compares the caller's
account with the file, asks it for quotas, roles, reservations and keys that the
environment needs, shows the hourly reference price and asks. A change that
would replace data or the cluster is refused with the way to do it, and so are a
group on a capacity block that is over, and an edit of name, account or Region
that would leave the deployed environment behind."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "deploy", run, summary="build or change an environment", text=TEXT, examples=EXAMPLES)
    add_environment(parser)
    parser.add_argument(
        "--local", action="store_true", help="deploy to the local AWS: the running one, else one of its own"
    )
    add_as_of(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask (the local AWS never asks)")
    parser.add_argument(
        "--new-environment",
        metavar="NAME",
        help="build NAME, the name in the file, as a second environment after a rename or a move (E9014)",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("deploy"):
        return _deploy(options)


def _deploy(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.deployed_metadata import with_recorded_metadata
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.environment import open_environment
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.deployment import Deployment
    from neuron_cluster.deploy.only_command import only_command
    from neuron_cluster.deploy.synthesis import private_assembly

    opened = open_environment(options, as_of=as_of(options))
    stream = talk_stream(options.format)
    root = opened.project.root
    with (
        opened_destination(opened, stream, local=options.local) as destination,
        only_command(root, opened.plan, destination, "deploy"),
    ):
        _refuse(opened, destination)
        opened = with_recorded_metadata(opened, destination)
        _prepare(opened, destination, stream, ask=not options.yes, agreed=options.new_environment)
        with private_assembly(root, opened.name_for_app, opened.locks) as assembly:
            opened.refuse_edited()
            deployment = Deployment(opened.plan, root, assembly, destination)
            changes = _confirm_changes(opened, deployment, stream, ask=not options.yes)
            ended = _work(deployment, changes, stream)
        return _show_result(options.format, opened, destination, ended)


def _refuse(opened: OpenedEnvironment, destination: Destination) -> None:
    """Raises ``InvalidEnvironment`` for what the account does not allow, or for another account than the file's."""
    from neuron_cluster.catalog.placeholder_account import placeholder_accounts
    from neuron_cluster.cli.preflight import asked_of
    from neuron_cluster.cli.terminal import print_findings
    from neuron_cluster.deploy.preflight.checks import refusals_before_deploy
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import has_error

    refusals = refusals_before_deploy(asked_of(opened, destination), placeholder_accounts())
    if has_error(refusals):
        raise InvalidEnvironment([*(opened.findings if not destination.is_local else ()), *refusals])
    print_findings(refusals)


def _prepare(
    opened: OpenedEnvironment, destination: Destination, stream: TextIO, *, ask: bool, agreed: str | None
) -> None:
    """Everything before the templates are made. Raises ``InvalidEnvironment`` for what must not be deployed."""
    from neuron_cluster.cli.environment_identity import identity_findings
    from neuron_cluster.cli.pinned_images import pinned_digests, pinned_images
    from neuron_cluster.cli.terminal import print_findings
    from neuron_cluster.deploy.busy_stacks import refuse_in_progress, refuse_stuck
    from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
    from neuron_cluster.deploy.local_server import make_principals_exist
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.report.folded_warnings import folded_warnings

    say = functools.partial(print, file=stream, flush=True)
    if not destination.is_local:
        print_findings(opened.findings)
    _stop_on_error([*pinned_images(opened, destination), *pinned_digests(opened, destination)])
    if destination.is_local and opened.findings:
        shown, others = folded_warnings(opened.findings)
        print_findings(shown)
        if others:
            say(others)
    _stop_on_error(identity_findings(opened, destination, agreed))
    _say_what(opened, destination, stream)
    if destination.prepares_account:
        bootstrap_if_needed(opened.project.root, destination, say)
        make_principals_exist(destination.local_endpoint, opened.plan)
    refuse_in_progress(opened.plan, destination)
    refuse_stuck(opened.plan, destination, as_argument(opened.file.shown_as))
    _finish_rollbacks(opened, destination, stream, ask=ask)
    say("Making the templates and comparing them with what is deployed:")


def _confirm_changes(opened: OpenedEnvironment, deployment: Deployment, stream: TextIO, *, ask: bool) -> Changes:
    """Shows what changes and asks. Raises ``InvalidEnvironment`` for an edit that is refused."""
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.environment_identity import record_deployment
    from neuron_cluster.cli.named_commands import named_commands
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.busy_stacks import refuse_in_progress

    destination = deployment.destination
    changes = deployment.changes()
    _stop_on_error(named_commands(changes.findings, opened, changes.keys, is_local=destination.is_local))
    for line in changes.lines():
        print_paragraph(f"  {line}", stream)
    if ask and not destination.is_local:
        confirm(f"Deploy {opened.plan.name} to {destination.in_words}?", opened.plan.name)
        refuse_in_progress(opened.plan, destination)  # the question may have stood there for long
    record_deployment(opened, destination)
    return changes


def _finish_rollbacks(opened: OpenedEnvironment, destination: Destination, stream: TextIO, *, ask: bool) -> None:
    """Before anything is compared: until then the stacks hold a half of two templates."""
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.rollback import failed_rollbacks, finish_rollbacks

    names = failed_rollbacks(opened.plan, destination)
    if names and ask and not destination.is_local:
        confirm(f"Continue the failed rollback of {', '.join(names)} on {destination.in_words}?", opened.plan.name)
    finish_rollbacks(names, destination, lambda line: print_paragraph(line, stream))


def _stop_on_error(findings: Sequence[Finding]) -> None:
    from neuron_cluster.cli.terminal import print_findings
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import has_error

    if has_error(findings):
        raise InvalidEnvironment(findings)
    print_findings(findings)


def _say_what(opened: OpenedEnvironment, destination: Destination, stream: TextIO) -> None:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.report.price import machine_lines, price_of, price_sentence

    plan = opened.plan
    print_paragraph(f"Deploying {plan.name} ({', '.join(plan.stacks)}) to {destination.in_words}.", stream)
    for line in machine_lines(plan):
        print_paragraph(f"  {line}", stream)
    price = price_sentence(price_of(plan, load_catalog()))
    print_paragraph(f"{price} The local AWS costs nothing." if destination.is_local else price, stream)


def _work(deployment: Deployment, changes: Changes, stream: TextIO) -> list[StackProgress]:
    """Deploys, and then deletes the stacks that the file no longer asks for; how each stack ended."""
    from neuron_cluster.cli.stack_work import with_progress
    from neuron_cluster.deploy.destruction import delete_stacks

    plan, destination = deployment.plan, deployment.destination
    names = [plan.stack_name(part) for part in plan.stacks]
    ended = with_progress(lambda show: deployment.run(show, changes.first_update), destination, names, stream)
    gone = changes.gone_stacks
    if gone:
        ended += with_progress(
            lambda show: delete_stacks(deployment.project, destination, plan, gone, show), destination, gone, stream
        )
    return ended


def _show_result(
    output_format: str, opened: OpenedEnvironment, destination: Destination, ended: Sequence[StackProgress]
) -> int:
    """Shows what exists; the exit status, which is 1 when it is not what was asked for."""
    from neuron_cluster.cli.stack_work import result_line
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables
    from neuron_cluster.deploy.existing import read_existing
    from neuron_cluster.deploy.existing_tables import existing_tables
    from neuron_cluster.deploy.health import health_findings
    from neuron_cluster.deploy.next_steps import next_steps
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.report.plain_data import plain

    existing = read_existing(destination.target, [stack.name for stack in ended])
    groups = opened.plan.eks.node_groups if opened.plan.eks is not None else ()
    unhealthy = health_findings(existing, destination, {group.physical_name: group.desired for group in groups})
    steps = next_steps(opened.plan, existing)
    if output_format == "json":
        findings = [finding.as_dict() for finding in (*opened.findings, *unhealthy)]
        changed = [{"name": stack.name, "status": stack.status, "changed": stack.has_changed} for stack in ended]
        print_json({"stacks": changed, "existing": plain(existing), "next_steps": plain(steps), "findings": findings})
    else:
        print("\n" + "\n".join(map(result_line, ended)) + f"\n\nWhat exists now on {destination.in_words}:\n")
        print_tables(existing_tables(existing))
        if steps:
            print("Next, on AWS:" if destination.is_local else "Next:")
            print("\n".join(f"  {step.what}\n    {step.command}" for step in steps))
        print_findings(unhealthy)
    return int(has_error(unhealthy))
