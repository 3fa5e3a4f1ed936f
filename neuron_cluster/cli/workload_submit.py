"""``neuron-cluster workload submit``: installs a chart with helm, or submits a job on a login node."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.workload_arguments import add_choices, add_job_choices

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
no Slurm: with --local no job is submitted, and the exit status is 1."""

EXAMPLES = """  aws eks update-kubeconfig --name train-trn2 --region us-east-2 --alias trn2
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama --dry-run
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama
  neuron-cluster workload submit check-collectives slurm-trn1 --nodes 2 --dry-run
  neuron-cluster workload submit check-collectives slurm-trn1 --nodes 2"""


def add_to(actions: Verbs) -> None:
    submitting = add_verb(
        actions, "submit", run, summary="install a chart, or submit a job", text=TEXT, examples=EXAMPLES
    )
    add_choices(submitting, must_name_namespace=False)
    add_job_choices(submitting)
    submitting.set_defaults(usage_error=submitting.error)
    submitting.add_argument("--context", metavar="NAME", help="context in the kubeconfig; required for a chart")
    submitting.add_argument(
        "--kubeconfig", metavar="FILE", type=Path, help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)"
    )
    submitting.add_argument(
        "--helm", metavar="FILE", type=Path, help="helm binary (default: the one for the cluster's version)"
    )
    submitting.add_argument(
        "--dry-run", action="store_true", help="print the helm command, or those that submit the job, and exit"
    )
    words = "read the lock of the local AWS, and look there for the login node of a job"
    submitting.add_argument("--local", action="store_true", help=words)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_jobs import find_job, require_chart, require_options_of_charts

    job = find_job(options.chart)
    if job is not None:
        from neuron_cluster.cli.workload_job_submission import submit_job

        return submit_job(job, options)
    require_chart(options.chart)
    missing = [f"--{name}" for name in ("namespace", "context") if not getattr(options, name)]
    if missing:
        options.usage_error(f"the following arguments are required: {', '.join(missing)}")
    require_options_of_charts(options)
    from neuron_cluster.cli.workload_work import render, submit

    return submit(render(options), options)
