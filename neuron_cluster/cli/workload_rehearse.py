"""``neuron-cluster workload rehearse``: the arguments of a rehearsal."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, add_local_lock, add_verb
from neuron_cluster.cli.output_file import a_place
from neuron_cluster.cli.workload_options import add_own_options, add_refused_options, add_workload, require_own_options
from neuron_cluster.protocol.option import a_count

TEXT = """Render and check as `workload render` does, then run the pods' own programs here, as
processes, under a model of the controllers that would run them: kube-scheduler,
kubelet, Job and JobSet, nodes that fail. Needs Linux and nothing of AWS. Of
Slurm, the training jobs run; of SageMaker, the training jobs of the file.

Time passes faster than here. The training program is replaced by a small JAX
job on CPUs that saves and resumes or, where JAX is not installed, by one that
does the same and computes nothing; `--set trainer.program=...` runs another
one. `neuron-cluster explain docs/rehearsal.md` lists what is modelled, with its
sources.

Prints how the workload ended, what was lost, what restarted and what it cost,
and the timeline. Exits with status 1 when the workload does not complete, or a
fault did not happen."""

EXAMPLES = """  neuron-cluster workload rehearse neuron-training train-trn1 --nodes 4 \\
    --claim lustre --fault node-lost
  neuron-cluster workload rehearse neuron-training train-trn1 --claim lustre \\
    --fault node-drained:2@25m --fault disk-full=5m@step=20 --svg timeline.svg
  neuron-cluster workload rehearse train-jax slurm-trn1 --fault node-lost \\
    --variable CHECKPOINT_DIRECTORY=/fsx/run
  neuron-cluster workload rehearse batch-inference train-trn2 --claim lustre \\
    --file lustre/checkpoints/default/batch/input.jsonl=requests.jsonl"""


def add_to(actions: Verbs) -> None:
    rehearsing = add_verb(
        actions, "rehearse", run, summary="run a workload here, with faults", text=TEXT, examples=EXAMPLES
    )
    add_workload(rehearsing, "rehearse")
    add_own_options(rehearsing, "rehearse")
    add_refused_options(rehearsing, "rehearse", own=("--time",))
    add_local_lock(rehearsing)
    _add_rehearsal(rehearsing)


def _add_rehearsal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fault",
        metavar="FAULT[:POD][=LONG][@WHEN]",
        action="append",
        default=[],
        dest="faults",
        help="cause a fault at WHEN (90s, 25m, 2h, step=12; default: after half of the steps); may be repeated. Of a "
        "pod, that with index POD (default: the highest), or its node: node-lost, node-drained, pod-killed, pod-hung, "
        "device-error. For a time LONG: node-late (how late it joins), pod-hung, preempted, queue-stopped, "
        "disk-full, stale-files. Others: block-ended, server-updated. Jobs of Slurm have job-signalled, job-cancelled, "
        "node-lost and rank-killed; training jobs of SageMaker job-stopped, host-killed, host-lost and "
        "spot-interrupted",
    )
    parser.add_argument(
        "--trainer",
        choices=("jax", "plain"),
        help="the training program: a JAX job (extra rehearse), or one that computes nothing (default: jax if it is "
        "installed)",
    )
    parser.add_argument("--ranks", metavar="N", type=a_count, default=1, help="ranks of a node (default: 1)")
    parser.add_argument("--steps", metavar="N", type=a_count, default=30, help="steps of the training (default: 30)")
    parser.add_argument("--checkpoint-every", metavar="N", type=a_count, default=5, help="in steps (default: 5)")
    for name, seconds, what in (("step", 20, "a step"), ("save", 10, "a checkpoint"), ("compile", 600, "the compiler")):
        parser.add_argument(
            f"--{name}-seconds", metavar="S", type=a_count, default=seconds, help=f"for {what} (default: {seconds})"
        )
    parser.add_argument(
        "--time",
        metavar="[NAME=]TIME",
        action="append",
        default=[],
        dest="times",
        help="seconds that a controller or machine takes, such as image_pull=60; may be repeated. Without a name, the "
        "time limit of a job of Slurm, such as 90 or 2-00:00:00",
    )
    parser.add_argument(
        "--file",
        metavar="PLACE=FILE",
        action="append",
        default=[],
        dest="files",
        help="a file or folder that a claim (PLACE: CLAIM/PATH; with Slurm FOLDER/PATH of a mounted folder) or bucket "
        "(s3://BUCKET/KEY) has at the start (default: they are empty); may be repeated",
    )
    parser.add_argument("--limit", metavar="H", type=a_count, help="hours at most (default: 24; of a server: 2)")
    parser.add_argument("--svg", metavar="FILE", type=a_place, help="write a drawing of the timeline")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="a new or empty folder for logs and volumes")


def run(options: argparse.Namespace) -> int:
    """A component of the cluster is rehearsed too, by its name."""
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.workload_rehearsal import rehearse_workload
    from neuron_cluster.protocol.schedulers import find_own_workload, find_workload, schedulers

    found, opened = find_workload(options.chart), None
    if found is None:
        opened = open_environment(options)
        found = find_own_workload(options.chart, opened.plan)
    able = next(each for each in schedulers() if each.places_pods)
    scheduler, workload = found or (able, None)
    if workload is not None and "rehearse" not in scheduler.verbs:
        raise scheduler.no_rehearsal(workload)
    require_own_options(scheduler, options.chart, options)
    return rehearse_workload(scheduler, options, opened)
