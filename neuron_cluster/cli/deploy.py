"""``neuron-cluster deploy``: build an environment on AWS or on the local AWS."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import Struct

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of_now, today

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.deploy.deployment import Changes, Deployment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.existing import Existing
    from neuron_cluster.deploy.progress import StackProgress
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment

EXAMPLES = """  neuron-cluster deploy --local train-trn1   on the local AWS, without cost
  neuron-cluster deploy train-trn1           on AWS: checks, price, prompt
  neuron-cluster deploy train-trn1 --yes     on AWS, without the prompt"""

TEXT = """Create or update an environment with the CDK command, then show what exists, as
the services report it. Before it deploys, it reads what was changed outside of
CloudFormation: of the resources that it changes, and public access,
encryption, versions and deletion protection of all. It warns of what the
deploy overwrites (W9597) or leaves less protected (W9598); the rest only
`drift` reads. At the end it warns where a setting that `explain W9652` lists
is not as in the file. On AWS it first compares the account and Region of your
credentials with the file, checks quotas, roles, reservations and keys, shows
the hourly reference price and the expected time of new stacks, and prompts;
`preflight` runs these checks alone. While it runs, it shows what remains of
that time. If CloudFormation is still at work for a deploy that was interrupted,
waits for it and continues. Stops with an error, and the steps to take, if the
deploy would replace data or the cluster, if S3 would delete objects after it,
if a node group uses a capacity block that has ended, or if an edit of name,
account or Region would orphan the deployed environment."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "deploy", run, summary="create or update an environment", text=TEXT, examples=EXAMPLES)
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="deploy to the local AWS; starts one if none runs")
    add_as_of(parser)
    parser.add_argument("--yes", action="store_true", help="do not prompt (with --local there is no prompt)")
    parser.add_argument(
        "--new-environment",
        metavar="NAME",
        help="after an edit of name, account or Region: create NAME as a second environment (E9014)",
    )
    parser.add_argument(
        "--accept-deletion",
        metavar="NAME",
        help="deploy an edit after which a service deletes data of NAME, the environment (E9049)",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("deploy"):
        return _deploy(options)


class Terminal(Struct, frozen=True):
    """The person at the terminal, for ``deploy.preparation``."""

    destination: Destination
    stream: TextIO
    name: str
    asks: bool

    def report(self, findings: Sequence[Finding]) -> None:
        from neuron_cluster.cli.terminal import print_findings

        print_findings(findings)

    def report_file(self, findings: Sequence[Finding]) -> None:
        """All on AWS, where they are what a deploy is paid for; on the local AWS those that matter there."""
        from neuron_cluster.report.folded_warnings import folded_warnings

        shown, others = folded_warnings(findings) if self.destination.is_local else (findings, "")
        self.report(shown)
        if others:
            print(others, file=self.stream, flush=True)

    def announce(self, opened: OpenedEnvironment) -> None:
        _print_announcement(opened, self.destination, self.stream)

    def progress(self, line: str) -> None:
        from neuron_cluster.cli.terminal import print_paragraph

        print_paragraph(line, self.stream)

    def confirm(self, question: str) -> bool:
        from neuron_cluster.cli.confirmation import confirm

        if self.asks:
            confirm(question, self.name)
        return self.asks


def _deploy(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.deployment import Deployment
    from neuron_cluster.deploy.only_command import only_command
    from neuron_cluster.deploy.preparation import accepted_changes, prepare_deploy, require_name_of_deletion
    from neuron_cluster.deploy.synthesis import private_assembly

    opened = open_environment(options, as_of=as_of_now(options))
    opened.require_images()
    require_name_of_deletion(opened, options.accept_deletion)
    stream = talk_stream(options.format)
    root = opened.project.root
    with (
        opened_destination(opened, stream, local=options.local) as destination,
        only_command(root, opened.plan, destination, "deploy"),
    ):
        terminal = Terminal(destination, stream, opened.plan.name, asks=not options.yes)
        opened = prepare_deploy(opened, destination, terminal, accepted_name=options.new_environment)
        print("Synthesizing templates and comparing them with the deployed stacks:", file=stream, flush=True)
        with private_assembly(root, opened.name_for_app, opened.locks) as assembly:
            opened.require_unedited()
            deployment = Deployment(opened.plan, root, assembly, destination)
            changes = accepted_changes(opened, deployment, terminal, accepted_deletion=options.accept_deletion)
            ended = _work(deployment, changes, stream)
        return _show_result(options.format, opened, destination, ended)


def _print_announcement(opened: OpenedEnvironment, destination: Destination, stream: TextIO) -> None:
    """The lines of the summary of `plan` about what is built; findings and missing values were reported before."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.plan_text import print_summary_lines
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.cost.environment_cost import environment_cost
    from neuron_cluster.report.plan_summary import plan_lines
    from neuron_cluster.report.price import price_of, price_sentence

    plan, catalog = opened.plan, load_catalog()
    print_paragraph(f"Deploying {plan.name} to {destination.description}.", stream)
    print_summary_lines(plan_lines(plan, catalog, environment_cost(plan, catalog, opened.as_of or today())), stream)
    price = price_sentence(price_of(plan, catalog))
    print_paragraph(f"{price} The local AWS costs nothing." if destination.is_local else price, stream)


def _work(deployment: Deployment, changes: Changes, stream: TextIO) -> list[StackProgress]:
    """Deploys, and then deletes the stacks that are no longer in the file; how each stack ended."""
    from datetime import UTC, datetime

    from neuron_cluster.cli.stack_work import with_progress
    from neuron_cluster.deploy.destruction import delete_stacks
    from neuron_cluster.deploy.remaining import remaining_line

    plan, destination = deployment.plan, deployment.destination
    names = [plan.stack_name(stack_key) for stack_key in plan.stacks]
    new = deployment.timed_new_stacks(changes)

    def remaining(stacks: Sequence[StackProgress]) -> str:
        return remaining_line(new, stacks, datetime.now(UTC)) if new else ""

    ended = with_progress(
        lambda show: deployment.run(show, changes.first_update), destination, names, stream, remaining
    )
    gone = changes.gone_stacks
    if gone:
        ended += with_progress(
            lambda show: delete_stacks(deployment.project, destination, plan, gone, show), destination, gone, stream
        )
    return ended


def _show_result(
    output_format: str, opened: OpenedEnvironment, destination: Destination, ended: Sequence[StackProgress]
) -> int:
    """Shows what exists; the exit status, which is 1 when it is not what the file defines."""
    from neuron_cluster.cli.stack_work import result_line
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables
    from neuron_cluster.deploy.existing_tables import existing_tables
    from neuron_cluster.deploy.result import deploy_result
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.report.plain_data import plain

    result = deploy_result(opened.plan, destination, ended)
    existing, unhealthy, steps = result.existing, result.findings, result.next_steps
    if output_format == "json":
        findings = [finding.as_dict() for finding in (*opened.findings, *unhealthy)]
        changed = [{"name": stack.name, "status": stack.status, "changed": stack.has_changed} for stack in ended]
        print_json(
            {"stacks": changed, "existing": _as_data(existing), "next_steps": plain(steps), "findings": findings}
        )
    else:
        print(
            "\n"
            + "\n".join(map(result_line, ended))
            + f"\n\nWhat the services report now on {destination.description}:\n"
        )
        print_tables(existing_tables(existing))
        if steps:
            print("Next, on AWS:" if destination.is_local else "Next:")
            print("\n".join(f"  {step.what}\n    {step.command}" for step in steps))
        print_findings(unhealthy)
    return int(has_error(unhealthy))


def _as_data(existing: Existing) -> dict[str, Any]:
    """Returns the parts of the providers next to those of the core, each under the names of its fields."""
    from neuron_cluster.report.plain_data import plain

    data: dict[str, Any] = plain(existing)
    for part in data.pop("providers"):
        data |= part
    return data
