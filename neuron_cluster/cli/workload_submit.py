"""``neuron-cluster workload submit``: installs a chart with helm, or submits a job on a login node."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_options import (
    add_own_options,
    add_workload,
    require_options,
    require_own_options,
)

TEXT = """Render and check as `workload render` does. If there is no error, run `helm
upgrade --install` with the selected values. Does not wait for pods: with a
queue, or a capacity block that has not started, they may start much later.

--context is required and must be the environment's cluster: the cluster entry
is named by its ARN, or the user entry names cluster and Region. For a
chart this command makes no AWS call; the credential plugin of your kubeconfig
(`aws eks get-token`) may.

For a job of Slurm it renders the script, sends it through Systems Manager to a
running login node of the environment, and prints the answer of sbatch with the
job id. It needs credentials of the account of the file that may call
ec2:DescribeInstances, ssm:SendCommand and ssm:GetCommandInvocation. --dry-run
prints the commands that do the same and makes no AWS call. The local AWS runs
no Slurm: with --local no job is submitted, and the exit status is 1.

A training job of SageMaker is submitted by CreateTrainingJob, with outputs of
the stack of training jobs in its request. The local AWS runs no container."""

EXAMPLES = """  aws eks update-kubeconfig --name train-trn2 --region us-east-2 --alias trn2
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama --dry-run
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama
  neuron-cluster workload submit check-collectives slurm-trn1 --nodes 2 --dry-run
  neuron-cluster workload submit check-collectives slurm-trn1 --nodes 2
  neuron-cluster workload submit finetune sagemaker-finetune --job-name run-1"""


def add_to(actions: Verbs) -> None:
    submitting = add_verb(
        actions, "submit", run, summary="install a chart, or submit a job", text=TEXT, examples=EXAMPLES
    )
    add_workload(submitting, "submit")
    add_own_options(submitting, "submit")
    submitting.add_argument(
        "--dry-run", action="store_true", help="print the helm command, or those that submit the job, and exit"
    )
    help_text = "read the lock of the local AWS, and look there for the login node of a job"
    submitting.add_argument("--local", action="store_true", help=help_text)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_rendering import RequestedWorkload, rendered_workload, report_errors
    from neuron_cluster.cli.workload_submission import submit
    from neuron_cluster.protocol.workload import Rendered

    requested = RequestedWorkload(options)
    require_options(requested.scheduler, options, "submit")
    require_own_options(requested.scheduler, requested.workload.name, options)
    opened, rendered = rendered_workload(requested, options, "submit")
    return submit(opened, rendered, options) if isinstance(rendered, Rendered) else report_errors(rendered, options)
