"""``neuron-cluster workload status``: a release on one screen."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_running import CONTEXT_TEXT, add_running_work, opened_work, show

TEXT = f"""Show the state of a workload: queue and admission, pods by state, nodes, attempt
and restarts (counted or not), exit codes, and the last step and checkpoint that
the log of its leader names. Steps and checkpoints are looked for by the words
of common trainers: a guess, quoted from the log.

{CONTEXT_TEXT}"""

EXAMPLES = """  neuron-cluster workload status llama train-trn2 --context trn2
  watch -n 30 neuron-cluster workload status llama train-trn2 --context trn2
  neuron-cluster workload status llama train-trn2 --context trn2 --format json \\
    | jq .restarts"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "status", run, summary="show the state of a workload", text=TEXT, examples=EXAMPLES)
    add_running_work(parser, "status")


def run(options: argparse.Namespace) -> int:
    with opened_work(options, "status") as work:
        return show(work.status(), options)
