"""``neuron-cluster onboard``: writes the hand-over pack of a team."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb
from neuron_cluster.cli.output_file import a_place

EXAMPLES = """  neuron-cluster onboard train-trn1 --team research --output research/
  neuron-cluster onboard train-trn1 --team research --output research/ \\
    --format json | jq '.files[]'"""

TEXT = """Write what a team needs to run its first job: README.md and index.html (login,
queues, storage, people, first job), runbook.md and starter jobs. Runs offline,
and installs nothing.

With Kubernetes the page has namespaces, quota and images too, and jobs for
training, serving, a shell and a smoke test are as large as the quota of the
team. They are rendered from the bundled charts with its namespace and queue,
and checked by the manifest rules and the scheduler model. With Slurm the page
has the user of the team on the nodes, and jobs are scripts for sbatch. A job
that the environment cannot run is left out, with the reason on the page.

DIR must not exist, or be empty: nothing is overwritten. Everything is written,
or nothing. Deploy the environment before you hand the pack over."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "onboard", run, summary="write the hand-over pack of a team", text=TEXT, examples=EXAMPLES)
    add_environment(parser)
    add_local_lock(parser)
    add_team(parser)
    parser.add_argument("--output", metavar="DIR", type=a_place, required=True, help="a new or empty folder")


def add_team(parser: argparse.ArgumentParser) -> None:
    """The team of the file that a verb is about."""
    parser.add_argument("--team", metavar="T", required=True, help="name of a team in `teams` of the file")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json, print_tables
    from neuron_cluster.handover.build_pack import build_pack
    from neuron_cluster.handover.named_team import named_team
    from neuron_cluster.handover.pack_page import pack_as_data, pack_table
    from neuron_cluster.new_folder import require_new, write_folder

    folder = Path(options.output)
    opened = open_environment(options)
    team = named_team(opened.plan, options.team)
    require_new(folder)
    pack = build_pack(opened, team)
    write_folder(folder, pack.files)
    findings = (*opened.findings, *pack.findings)
    if options.format == "json":
        print_json(pack_as_data(pack, folder, findings))
        return 0
    print_tables([pack_table(pack, folder)])
    print_findings(findings)
    return 0
