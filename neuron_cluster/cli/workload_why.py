"""``neuron-cluster workload why``: why a release does not run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_options import required_options
from neuron_cluster.cli.workload_running import CONTEXT_TEXT, add_running_work, opened_work, show
from neuron_cluster.findings.text import listed

if TYPE_CHECKING:
    from neuron_cluster.protocol.running_work import Shown

TEXT = f"""Show why a workload does not run, the first cause first: it is stopped, its
queue or quota, its claims, its nodes or capacity block, its place (taints,
labels, resources), its volumes, image or program, its probes. Each cause names
the object and its condition, what that means, and the command that continues.

{CONTEXT_TEXT}
--rehearsal FILE reads the output of `workload rehearse --format json` instead.

Exit status 1 if there is a cause, 0 if nothing is wrong."""

EXAMPLES = """  neuron-cluster workload why llama train-trn2 --context trn2 --namespace team-a
  neuron-cluster workload why neuron-training train-trn2 --context trn2
  neuron-cluster workload rehearse neuron-training train-trn1 --claim lustre \\
    --fault block-ended --format json > rehearsal.json
  neuron-cluster workload why --rehearsal rehearsal.json"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "why", run, summary="show why a workload does not run", text=TEXT, examples=EXAMPLES)
    add_running_work(parser, "why", is_named=False)
    parser.add_argument("--rehearsal", metavar="FILE", type=Path, help="JSON of a rehearsal instead of a cluster")


def run(options: argparse.Namespace) -> int:
    needed = required_options("why")
    names = ["NAME", "ENVIRONMENT", *(option.name for option in needed)]
    given = [options.name, options.environment, *(getattr(options, option.destination) for option in needed)]
    if options.rehearsal is not None:
        if any(given):
            options.usage_error(f"--rehearsal FILE reads no cluster: leave {listed(names)} out")
        return show(_of_rehearsal(options.rehearsal), options)
    if not all(given):
        options.usage_error(f"{listed(names)} are required, or --rehearsal FILE")
    with opened_work(options, "why") as work:
        return show(work.why(), options)


def _of_rehearsal(file: Path) -> Shown:
    from neuron_cluster.protocol.schedulers import schedulers

    scheduler = next(scheduler for scheduler in schedulers() if "rehearse" in scheduler.verbs)
    return scheduler.why_rehearsed(file)
