"""``neuron-cluster destroy``: remove an environment, never its data by accident."""

from __future__ import annotations

import argparse
import functools
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.deploy.destination import Destination
    from neuron_cluster.deploy.destruction import Destruction
    from neuron_cluster.deploy.left_over import LeftOver

EXAMPLES = """  neuron-cluster destroy train-trn1                            keeps what holds data, and the network
  neuron-cluster destroy train-trn1 --delete-data train-trn1   removes everything, the data too
  neuron-cluster destroy --local train-trn1"""

TEXT = """Remove an environment: software, node groups and cluster. What holds data
stays, and with it the network; the next deploy goes on with both.
--delete-data removes both, for good; type the environment's name after it.
An environment without data goes entirely."""

MADE_BY_PODS = (
    "Objects of the cluster made these, and they stay when it goes. Delete their Ingress, Service and "
    "PersistentVolumeClaim objects before, while the cluster's controllers run; or afterwards, with these commands:"
)


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "destroy", run, summary="remove an environment, keep its data", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="on the local AWS")
    parser.add_argument("--yes", action="store_true", help="do not ask (the local AWS never asks)")
    parser.add_argument("--delete-data", metavar="NAME", help="delete the data too; NAME is the environment's name")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.patient_stream import outliving_the_reader

    with outliving_the_reader("destroy"):
        return _destroy(options)


def _destroy(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.cli.environment import open_environment
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.busy_stacks import wait_for_deletions
    from neuron_cluster.deploy.destruction import plan_destruction, refuse_other_name
    from neuron_cluster.deploy.only_command import only_command

    opened = open_environment(options)
    refuse_other_name(opened.plan, options.delete_data)
    stream = talk_stream(options.format)
    with (
        opened_destination(opened, stream, local=options.local) as destination,
        only_command(opened.project.root, opened.plan, destination, "destroy"),
    ):
        _refuse_other_account(opened, destination)
        wait_for_deletions(opened.plan, destination, functools.partial(print, file=stream, flush=True))
        destruction = plan_destruction(opened.plan, destination, with_data=options.delete_data is not None)
        _say_what(destruction, destination, stream)
        left_over = _say_left_over(destruction, destination, stream)
        if destruction.deletes and not destination.is_local and not options.yes:
            confirm(f"Delete this from {destination.in_words}?", opened.plan.name)
        _work(options.format, opened, destination, destruction, stream, left_over)
    return 0


def _refuse_other_account(opened: OpenedEnvironment, destination: Destination) -> None:
    from neuron_cluster.deploy.refusals import account_findings
    from neuron_cluster.errors import InvalidEnvironment

    findings = [] if destination.is_local else account_findings(opened.plan, destination, opened.locate)
    if findings:
        raise InvalidEnvironment(findings)


def _say_what(destruction: Destruction, destination: Destination, stream: TextIO) -> None:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.destruction import destruction_lines

    for line in destruction_lines(destruction, destination):
        print_paragraph(line, stream)


def _say_left_over(destruction: Destruction, destination: Destination, stream: TextIO) -> list[LeftOver]:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.deploy.left_over import left_over_lines, made_by_pods

    found = made_by_pods(destruction.plan, destination)
    if found:
        print_paragraph(MADE_BY_PODS, stream)
        print("\n".join(left_over_lines(found)), file=stream, flush=True)
    return found


def _work(
    output_format: str,
    opened: OpenedEnvironment,
    destination: Destination,
    destruction: Destruction,
    stream: TextIO,
    left_over: Sequence[LeftOver],
) -> None:
    from neuron_cluster.cli.stack_work import result_line, with_progress
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.deploy.destruction import destroy
    from neuron_cluster.report.plain_data import plain

    ended = with_progress(
        lambda show: destroy(opened.project.root, destination, destruction, show),
        destination,
        [stack.name for stack in destruction.deletes],
        stream,
    )
    if output_format == "json":
        findings = [finding.as_dict() for finding in opened.findings]
        kept = [stack.name for stack in destruction.keeps]
        deleted = [stack.name for stack in ended]
        print_json({"deleted": deleted, "kept": kept, "left_over": plain(left_over), "findings": findings})
    elif ended:
        print("\n" + "\n".join(map(result_line, ended)))
