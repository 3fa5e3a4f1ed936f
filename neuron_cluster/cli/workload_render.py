"""``neuron-cluster workload render``: values and objects of a chart, checked."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_local_lock, add_verb
from neuron_cluster.cli.output_file import a_place
from neuron_cluster.cli.workload_options import add_own_options, add_workload, require_own_options

TEXT = """Select values for a chart, render it with the helm that matches the cluster's
Kubernetes version, and check the objects: manifest rules, the components that
the environment installs, and the allocatable resources that are free on a node.
Runs offline; installs nothing.

Selects the node group, resources (Neuron devices, cores, EFA, CPU and memory
minus what DaemonSets request), tolerations, queue, image and compiler release.
Pass names that only exist after a deploy with --bucket and --claim.

Prints YAML on standard output and findings on standard error. With an error,
writes nothing and exits with status 1. --values overrides the selected values,
and --set overrides both. In KEY=VALUE, a VALUE that is valid JSON is read as
JSON (replicas=2), any other as text.

A job of Slurm is a script of the toolkit: queue, nodes, Neuron devices and time
limit are filled in and checked, --run and --variable are written into it.
`sbatch FILE` on a login node submits it.

A training job of SageMaker is a job of the environment file: the request in
JSON, with ${NAME} for outputs of its stack."""

EXAMPLES = """  neuron-cluster workload render collectives-check train-trn2 --nodes 4
  neuron-cluster workload render neuron-training train-trn1 --claim lustre \\
    --values-only > values.yaml
  neuron-cluster workload render neuron-serving train-trn2 --claim models \\
    --set machine.neuronDevices=4 --set replicas=4 --output out/
  neuron-cluster workload render train-torchrun slurm-trn1 --nodes 4 \\
    --variable CHECKPOINT_DIRECTORY=/fsx/run --run train.py --steps 1000
  neuron-cluster workload render finetune sagemaker-finetune"""


def add_to(actions: Verbs) -> None:
    rendering = add_verb(
        actions,
        "render",
        run,
        summary="render values and objects, and check them",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
    )
    add_workload(rendering, "render")
    add_local_lock(rendering)
    add_own_options(rendering, "render")
    rendering.add_argument(
        "--output", metavar="FILE|DIR", type=a_place, help="write to FILE, or values.yaml and objects.yaml to DIR/"
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_rendering import RequestedWorkload, rendered_workload, report_errors, show
    from neuron_cluster.protocol.workload import Rendered

    requested = RequestedWorkload(options)
    require_own_options(requested.scheduler, requested.workload.name, options)
    _, rendered = rendered_workload(requested, options, "render")
    return show(rendered, options) if isinstance(rendered, Rendered) else report_errors(rendered, options)
