"""``neuron-cluster workload why``: why a release does not run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_local_lock, add_verb
from neuron_cluster.cli.workload_arguments import a_release
from neuron_cluster.cli.workload_cluster import (
    CONTEXT_TEXT,
    add_context,
    heading,
    identity,
    open_cluster,
    read_situation,
)

if TYPE_CHECKING:
    from datetime import datetime

    from neuron_cluster.workloads.running.diagnosis import Diagnosis

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
    parser.add_argument("name", metavar="NAME", nargs="?", help="a release, or a chart that has one release")
    parser.add_argument("environment", metavar="ENVIRONMENT", nargs="?", help="name or file of the environment")
    add_local_lock(parser)
    add_context(parser, is_required=False)
    parser.add_argument("--release", metavar="NAME", type=a_release, help="helm release, where NAME is a chart")
    parser.add_argument("--rehearsal", metavar="FILE", type=Path, help="JSON of a rehearsal instead of a cluster")
    parser.set_defaults(usage_error=parser.error)


def run(options: argparse.Namespace) -> int:
    if options.rehearsal is not None:
        if options.name or options.environment or options.context:
            options.usage_error("--rehearsal FILE reads no cluster: leave NAME, ENVIRONMENT and --context out")
        return _of_rehearsal(options)
    if not (options.name and options.environment and options.context):
        options.usage_error("NAME, ENVIRONMENT and --context are required, or --rehearsal FILE")
    from neuron_cluster.workloads.running.diagnosis import diagnose

    session = open_cluster(options)
    situation = read_situation(session, options)
    named, data = heading(session, situation), identity(session, situation)
    return _show(options, diagnose(situation), named, data, situation.state.now)


def _of_rehearsal(options: argparse.Namespace) -> int:
    from neuron_cluster.rehearsal.diagnosis import diagnose_rehearsal, read_rehearsal

    rehearsed = read_rehearsal(options.rehearsal)
    named = f"rehearsal of {rehearsed.workload}"
    return _show(options, diagnose_rehearsal(rehearsed), named, {"rehearsal": rehearsed.workload})


def _show(
    options: argparse.Namespace, diagnosis: Diagnosis, named: str, data: dict[str, Any], now: datetime | None = None
) -> int:
    from neuron_cluster.cli.terminal import print_json, width
    from neuron_cluster.report.diagnosis_page import diagnosis_data, diagnosis_page
    from neuron_cluster.report.text_page import text_of

    if options.format == "json":
        print_json({**data, **diagnosis_data(diagnosis)})
    else:
        print(text_of(diagnosis_page(diagnosis, named, now), width()), end="")
    return int(bool(diagnosis.causes))
