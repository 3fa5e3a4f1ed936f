"""``neuron-cluster workload``: bundled charts with values that fit an environment."""

from __future__ import annotations

from neuron_cluster.cli import (
    workload_list,
    workload_logs,
    workload_rehearse,
    workload_render,
    workload_status,
    workload_stop,
    workload_submit,
    workload_why,
)
from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Run a bundled chart of charts/ in an environment: collectives-check,
neuron-training, neuron-serving, compile-cache-warmer, model-store,
neuron-explorer, serving-check, batch-inference. The chart values are derived
from the environment's plan, so that the pods fit its nodes. If they cannot fit,
the findings give the reasons.

With Slurm: jobs check-collectives, train-torchrun, train-jax, serve-vllm and
warm-compile-cache, for `list`, `render` and `submit`."""

EXAMPLES = """  neuron-cluster workload list train-trn2
  neuron-cluster workload render collectives-check train-trn2
  neuron-cluster workload submit neuron-training train-trn2 --context trn2 ...
  neuron-cluster workload why neuron-training train-trn2 --context trn2
`neuron-cluster workload render --help` and `... submit --help` list the options"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "workload",
        help="run a bundled chart in an environment",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for action in (
        workload_list,
        workload_render,
        workload_rehearse,
        workload_submit,
        workload_why,
        workload_status,
        workload_logs,
        workload_stop,
    ):
        action.add_to(actions)
