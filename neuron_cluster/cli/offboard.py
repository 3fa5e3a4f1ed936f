"""``neuron-cluster offboard``: what goes and what stays when a team leaves an environment."""

from __future__ import annotations

import argparse
import shlex
import sys

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb
from neuron_cluster.cli.onboard import add_team

EXAMPLES = """  neuron-cluster offboard train-trn1 --team research
  neuron-cluster offboard train-trn1 --team research --format json \\
    | jq -r '.steps[].commands[]'"""

TEXT = """Show what the next deploy removes when a team leaves the file: access
entries, queues with their jobs, rights, limits, network policies, roles, the
user on Slurm nodes; and what stays: namespaces with their objects, claims,
prefixes of the bucket, folders, homes. Then the commands that delete what
stays, in order.

Runs offline and changes nothing. The team must still be in the file."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "offboard", run, summary="show what stays when a team leaves, and how to delete it", text=TEXT,
        examples=EXAMPLES,
    )  # fmt: skip
    add_environment(parser)
    add_local_lock(parser)
    add_team(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.handover.departure import departure
    from neuron_cluster.handover.departure_page import departure_as_data, departure_tables, step_texts
    from neuron_cluster.handover.named_team import named_team

    opened = open_environment(options)
    team = named_team(opened.plan, options.team)
    found = departure(opened.plan, team, shlex.quote(options.environment), opened.catalog)
    if options.format == "json":
        print_json(departure_as_data(found, opened.findings))
        return 0
    print_tables(departure_tables(found))
    for sentence, commands in step_texts(found):
        print_paragraph(sentence, sys.stdout)
        print("".join(f"     {command}\n" for command in commands))
    print_findings(opened.findings)
    return 0
