"""The parts of `neuron-cluster node replace` and `reboot` that are the same: output, prompt, wait."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from neuron_cluster.cli.arguments import add_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_cluster.deploy.deployed_nodes import ChosenNodes
    from neuron_cluster.deploy.node_requests import Progress
    from neuron_cluster.protocol.nodes import GroupProgress, NodeAnswer, NodeQuery, Waited

SECONDS_OF_A_MINUTE = 60.0
MINUTES = 120
"""Deep health checks last 60 to 90 minutes on a node that is replaced."""
UNCHANGED_SECONDS = 300.0
"""How long no line is printed while no node changes its status."""

CHANGE_TEXT = """ID is an instance id, or the name of the node in Kubernetes (hyperpod-ID). All
ids are compared with the cluster, and no request is made if one is unknown, or
is of a node that is changing already. Prompts before the first request; AWS
takes 25 nodes in one, more are several requests.

--wait follows the nodes until all of them run. Ctrl-C ends the command, not the
change. Exit status 1 if AWS does not accept a node, and with --wait if one has
failed or is not back in time."""


def add_change_arguments(parser: argparse.ArgumentParser) -> None:
    """The nodes, and how a command asks and waits."""
    add_environment(parser)
    parser.add_argument("ids", metavar="ID", nargs="+", help="a node, as `node list` prints it")
    parser.add_argument("--local", action="store_true", help="on the running local AWS")
    parser.add_argument("--wait", action="store_true", help="follow the nodes until they run")
    help_text = f"minutes after which --wait ends (default: {MINUTES})"
    parser.add_argument("--timeout", metavar="MINUTES", type=_minutes, default=MINUTES, help=help_text)
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and make no request")
    parser.add_argument("--yes", action="store_true", help="do not prompt (with --local there is no prompt)")


def change_nodes(options: argparse.Namespace, verb: str) -> int:
    """Changes the nodes that the command line names, and returns its exit status."""
    from neuron_cluster.cli.node_query import opened_nodes
    from neuron_cluster.cli.terminal import talk_stream
    from neuron_cluster.deploy.deployed_nodes import chosen_nodes

    stream = talk_stream(options.format)
    with opened_nodes(options, verb) as (query, where):
        chosen = chosen_nodes(query, verb, options.ids)
        for choice in chosen:
            _announce(query, choice, where, stream)
        if options.dry_run:
            return _show_dry_run(options, query, verb, chosen)
        if not (options.yes or query.access.is_local):
            _confirm(query, chosen)
        answers = _requested(query, chosen, stream)
        waited = (
            _waited(query, chosen, answers, options.timeout * SECONDS_OF_A_MINUTE, stream) if options.wait else None
        )
    return _show(options, query, chosen, answers, waited)


def _announce(query: NodeQuery, chosen: ChosenNodes, where: str, stream: TextIO) -> None:
    from neuron_cluster.cli.terminal import print_line, print_paragraph
    from neuron_cluster.findings.text import counted
    from neuron_cluster.report.nodes_page import node_lines

    verb = chosen.action.verb.capitalize()
    print_line(f"{verb} {counted(len(chosen.nodes), 'node')} of {query.plan.name} on {where}:", stream)
    for line in node_lines(chosen.nodes):
        print_line(line, stream)
    for sentence in chosen.action.effects(query, chosen.nodes):
        print_paragraph(sentence, stream)


def _confirm(query: NodeQuery, chosen: Sequence[ChosenNodes]) -> None:
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.findings.text import counted

    number = sum(len(choice.nodes) for choice in chosen)
    confirm(f"{chosen[0].action.verb.capitalize()} {counted(number, 'node')}?", query.plan.name)


def _requested(query: NodeQuery, chosen: Sequence[ChosenNodes], stream: TextIO) -> list[tuple[NodeAnswer, ...]]:
    """Makes the requests, and prints which nodes were accepted."""
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.deploy.node_requests import request_nodes
    from neuron_cluster.report.nodes_page import answer_lines

    try:
        answers = [request_nodes(query, choice) for choice in chosen]
    except KeyboardInterrupt:
        done = chosen[0].action.done
        print(f"Nodes may be {done} already: `{query.toolkit_command('node list')}` shows them.", file=sys.stderr)
        raise
    for choice, own in zip(chosen, answers, strict=True):
        for line in answer_lines(own, choice.action.done):
            print_line(line, stream)
    return answers


def _waited(
    query: NodeQuery,
    chosen: Sequence[ChosenNodes],
    answers: Sequence[Sequence[NodeAnswer]],
    limit_seconds: float,
    stream: TextIO,
) -> list[Waited]:
    """Follows accepted nodes. An interruption or an error prints that AWS continues, and how to look."""
    from neuron_cluster.deploy.node_requests import await_nodes
    from neuron_cluster.errors import ToolkitError

    show = _changes(stream)
    try:
        return [
            await_nodes(query, choice, own, limit_seconds, show) for choice, own in zip(chosen, answers, strict=True)
        ]
    except (KeyboardInterrupt, ToolkitError):
        ids = [answer.node.id for own in answers for answer in own if answer.is_accepted]
        print(f"AWS continues: {' '.join(ids)} will be {chosen[0].action.done}.", file=sys.stderr)
        print(f"`{query.toolkit_command('node list')}` shows the nodes.", file=sys.stderr, flush=True)
        raise


def _changes(stream: TextIO) -> Progress:
    """Prints a line for each group that changes, and from time to time."""
    from neuron_cluster.cli.progress_display import duration
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.report.nodes_page import progress_line

    last: dict[str, tuple[str, float]] = {}

    def show(groups: Sequence[GroupProgress], seconds: float) -> None:
        for group in groups:
            line = progress_line(group)
            before, at = last.get(group.group, ("", 0.0))
            if line != before or seconds - at > UNCHANGED_SECONDS:
                last[group.group] = (line, seconds)
                print_line(f"{line}, {duration(seconds)}", stream)

    return show


def _show_dry_run(options: argparse.Namespace, query: NodeQuery, verb: str, chosen: Sequence[ChosenNodes]) -> int:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.nodes_page import node_as_data

    if options.format == "json":
        nodes = [node_as_data(node) for choice in chosen for node in choice.nodes]
        effects = [sentence for choice in chosen for sentence in choice.action.effects(query, choice.nodes)]
        print_json({"environment": query.plan.name, "action": verb, "nodes": nodes, "effects": effects})
    else:
        print("Nothing was requested.")
    return 0


def _show(
    options: argparse.Namespace,
    query: NodeQuery,
    chosen: Sequence[ChosenNodes],
    answers: Sequence[Sequence[NodeAnswer]],
    waited: Sequence[Waited] | None,
) -> int:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.nodes_page import answers_as_data, waited_as_data

    has_rejected = any(not answer.is_accepted for own in answers for answer in own)
    has_failed = waited is not None and not all(choice.has_succeeded for choice in waited)
    if options.format == "json":
        nodes = [row for own in answers for row in answers_as_data(own)]
        wait = [waited_as_data(choice) for choice in waited] if waited is not None else None
        print_json({"environment": query.plan.name, "action": chosen[0].action.verb, "nodes": nodes, "wait": wait})
    else:
        _print_end(query, chosen, waited)
    return int(has_rejected or has_failed)


def _print_end(query: NodeQuery, chosen: Sequence[ChosenNodes], waited: Sequence[Waited] | None) -> None:
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.report.nodes_page import waited_lines

    if waited is None:
        print_line(f"`{query.toolkit_command('node list')}` shows the nodes.")
        return
    for choice, ended in zip(chosen, waited, strict=True):
        for line in waited_lines(ended):
            print_line(line)
        if not ended.has_succeeded and (command := choice.action.look_closer(query)):
            print_line(f"`{command}` shows why.")


def _minutes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of minutes: expected a whole number from 1")
    return int(text)
