"""``neuron-cluster workload logs``: logs of the pods of a release, by rank."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_running import CONTEXT_TEXT, add_running_work, opened_work, show

TEXT = f"""Print the log of one pod: the launcher of an MPIJob, else rank 0. Ranks are
those of pods: node 0, 1, … of a job, leader and workers of a server over
several nodes. --all prints those of all pods, each line with its pod. Ctrl-C
ends --follow (exit status 130).

{CONTEXT_TEXT}"""

EXAMPLES = """  neuron-cluster workload logs llama train-trn2 --context trn2 --follow
  neuron-cluster workload logs llama train-trn2 --context trn2 --rank 3 \\
    --previous
  neuron-cluster workload logs llama train-trn2 --context trn2 --all --since 10m"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "logs", run, summary="print logs by rank", text=TEXT, examples=EXAMPLES)
    add_running_work(parser, "logs")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.errors import ToolkitError

    if options.format == "json" and getattr(options, "follow", False):
        raise ToolkitError("--format json prints one document: --follow would never end it", hint="leave one out")
    with opened_work(options, "logs") as work:
        return show(work.log_document(), options) if options.format == "json" else work.stream_logs(print_line)
