"""``neuron-cluster workload submit``: installs a chart with helm."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_arguments import add_choices

TEXT = """Render and check as `workload render` does. If there is no error, run `helm
upgrade --install` with the selected values. Does not wait for pods: with a
queue, or a capacity block that has not started, they may start much later.

--context is required and must be the environment's cluster: the cluster entry
is named by its ARN, or the user entry names cluster and Region. This command
makes no AWS call; the credential plugin of your kubeconfig (`aws eks
get-token`) may."""

EXAMPLES = """  aws eks update-kubeconfig --name train-trn2 --region us-east-2 --alias trn2
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama --dry-run
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama"""


def add_to(actions: Verbs) -> None:
    submitting = add_verb(
        actions, "submit", run, summary="install a workload in the cluster", text=TEXT, examples=EXAMPLES
    )
    add_choices(submitting, must_name_namespace=True)
    submitting.add_argument("--context", metavar="NAME", required=True, help="context in the kubeconfig")
    submitting.add_argument(
        "--kubeconfig", metavar="FILE", type=Path, help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)"
    )
    submitting.add_argument(
        "--helm", metavar="FILE", type=Path, help="helm binary (default: the one for the cluster's version)"
    )
    submitting.add_argument("--dry-run", action="store_true", help="print the helm command and exit")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_work import render, submit

    return submit(render(options), options)
