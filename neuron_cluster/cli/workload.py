"""``neuron-cluster workload``: bundled charts with values that fit an environment."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, a_count, add_environment, add_verb
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Run a bundled chart of charts/ in an environment: collectives-check,
neuron-training, neuron-serving, compile-cache-warmer, neuron-explorer. The
chart values are derived from the environment's plan, so that the pods fit its
nodes. If they cannot fit, the findings give the reasons."""

EXAMPLES = """  neuron-cluster workload list train-trn2
  neuron-cluster workload render collectives-check train-trn2
  neuron-cluster workload submit neuron-training train-trn2 --context trn2 ...
`neuron-cluster workload render --help` and `... submit --help` list the options"""

LIST_TEXT = """Show the workloads, the components that each requires and whether the
environment installs them, and the node groups that each can run on. Runs
offline."""

LIST_EXAMPLES = """  neuron-cluster workload list train-trn1
  neuron-cluster workload list train-trn1 --format json | jq '.[].node_groups'"""

RENDER_TEXT = """Select values for a chart, render it with the helm that matches the cluster's
Kubernetes version, and check the objects: manifest rules, the components that
the environment installs, and the allocatable resources that are free on a node.
Runs offline; installs nothing.

Selects the node group, resources (Neuron devices, cores, EFA, CPU and memory
minus what DaemonSets request), tolerations, queue, image and compiler release.
Pass names that only exist after a deploy with --bucket and --claim.

Prints YAML on standard output and findings on standard error. With an error,
writes nothing and exits with status 1. --values overrides the selected values,
and --set overrides both. In KEY=VALUE, a VALUE that is valid JSON is read as
JSON (replicas=2), any other as text."""

RENDER_EXAMPLES = """  neuron-cluster workload render collectives-check train-trn2 --nodes 4
  neuron-cluster workload render neuron-training train-trn1 --claim lustre \\
    --values-only > values.yaml
  neuron-cluster workload render neuron-serving train-trn2 --claim models \\
    --set machine.neuronDevices=4 --set replicas=4 --output out/"""

REHEARSE_TEXT = """Render and check as `workload render` does, then run the pods' own programs here, as
processes, under a model of the controllers that would run them: kube-scheduler,
kubelet, Job and JobSet, nodes that fail. Needs Linux and nothing of AWS.

Time passes faster than here. The training program is replaced by one that
compiles, steps, saves and resumes without computing anything; `--set
trainer.program=...` runs another one. docs/rehearsal.md lists what is modelled,
and with which source.

Prints how the workload ended, what was lost, what restarted and what it cost,
and the timeline. Exits with status 1 when the workload does not complete."""

REHEARSE_EXAMPLES = """  neuron-cluster workload rehearse neuron-training train-trn1 --nodes 4 \\
    --claim lustre --fault node-lost
  neuron-cluster workload rehearse neuron-training train-trn1 --claim lustre \\
    --fault node-drained@25m --fault disk-full@step=20 --svg timeline.svg"""

SUBMIT_TEXT = """Render and check as `workload render` does. If there is no error, run `helm
upgrade --install` with the selected values. Does not wait for pods: with a
queue, or a capacity block that has not started, they may start much later.

--context is required and must be the environment's cluster: the cluster entry
is named by its ARN, or the user entry names cluster and Region. This command
makes no AWS call; the credential plugin of your kubeconfig (`aws eks
get-token`) may."""

SUBMIT_EXAMPLES = """  aws eks update-kubeconfig --name train-trn2 --region us-east-2 --alias trn2
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama --dry-run
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "workload",
        help="run a bundled chart in an environment",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = add_verb(
        actions,
        "list",
        run_list,
        summary="show workloads and their node groups",
        text=LIST_TEXT,
        examples=LIST_EXAMPLES,
    )
    add_environment(listing)
    rendering = add_verb(
        actions,
        "render",
        run_render,
        summary="render values and objects, and check them",
        text=RENDER_TEXT,
        examples=RENDER_EXAMPLES,
        has_sarif=True,
    )
    _add_choices(rendering, must_name_namespace=False)
    rendering.add_argument("--values-only", action="store_true", help="print the values instead of the objects")
    rendering.add_argument(
        "--output", metavar="FILE|DIR", type=_place, help="write to FILE, or values.yaml and objects.yaml to DIR/"
    )
    rehearsing = add_verb(
        actions,
        "rehearse",
        run_rehearse,
        summary="run a workload here, with faults",
        text=REHEARSE_TEXT,
        examples=REHEARSE_EXAMPLES,
    )
    _add_choices(rehearsing, must_name_namespace=False)
    _add_rehearsal(rehearsing)
    submitting = add_verb(
        actions,
        "submit",
        run_submit,
        summary="install a workload in the cluster",
        text=SUBMIT_TEXT,
        examples=SUBMIT_EXAMPLES,
    )
    _add_choices(submitting, must_name_namespace=True)
    submitting.add_argument("--context", metavar="NAME", required=True, help="context in the kubeconfig")
    submitting.add_argument(
        "--kubeconfig", metavar="FILE", type=Path, help="kubeconfig file (default: KUBECONFIG, ~/.kube/config)"
    )
    submitting.add_argument(
        "--helm", metavar="FILE", type=Path, help="helm binary (default: the one for the cluster's version)"
    )
    submitting.add_argument("--dry-run", action="store_true", help="print the helm command and exit")


def _add_choices(parser: argparse.ArgumentParser, *, must_name_namespace: bool) -> None:
    parser.add_argument("chart", metavar="CHART", help="a workload, as `workload list` shows it")
    add_environment(parser)
    parser.add_argument("--group", metavar="GROUP", help="node group (default: the only one that fits)")
    parser.add_argument("--nodes", metavar="N", type=a_count, help="number of nodes of the job, or of one replica")
    parser.add_argument("--queue", metavar="QUEUE", help="Kueue queue (default: the node group's; '' for none)")
    parser.add_argument(
        "--front-end", metavar="NAME", help="framework of the chart: jax, nxd, torchtitan, vllm, vllm_nxd"
    )
    parser.add_argument("--bucket", metavar="NAME", help="S3 bucket for compiled graphs and profiles")
    parser.add_argument("--claim", metavar="NAME", help="PersistentVolumeClaim for checkpoints, weights and other data")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="settings",
        help="set one chart value; may be repeated",
    )
    parser.add_argument("--values", metavar="FILE", type=Path, help="YAML file with chart values")
    parser.add_argument("--release", metavar="NAME", type=_release, help="helm release (default: the chart's name)")
    parser.add_argument(
        "--namespace",
        metavar="NAME",
        type=_namespace,
        required=must_name_namespace,
        help="namespace of the release" + ("" if must_name_namespace else " (default: the first of eks.namespaces)"),
    )


def _add_rehearsal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fault",
        metavar="FAULT[@WHEN]",
        action="append",
        default=[],
        dest="faults",
        help="cause a fault, after WHEN (90s, 25m, 2h, step=12; default: half of the steps); may be repeated. Faults: "
        "node-lost, node-drained, node-late, block-ended, preempted, server-updated, pod-killed, device-error, "
        "disk-full, stale-files",
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
        metavar="NAME=S",
        action="append",
        default=[],
        dest="times",
        help="seconds that a controller or machine takes, such as image_pull=60; may be repeated",
    )
    parser.add_argument("--limit", metavar="H", type=a_count, help="hours at most (default: 24; of a server: 2)")
    parser.add_argument("--svg", metavar="FILE", type=_place, help="write a drawing of the timeline")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="a new folder for logs and volumes")


def _release(text: str) -> str:
    return _dns_label(text, 53)  # helm's own limit, below 63 because charts append suffixes


def _namespace(text: str) -> str:
    return _dns_label(text, 63)


def _dns_label(text: str, longest: int) -> str:
    from neuron_cluster.kubernetes.dns_names import is_label

    if len(text) > longest or not is_label(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a valid name: at most {longest} of a-z, 0-9 and '-', without '-' at either end"
        )
    return text


def _place(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: expected a file, or a folder with a trailing /")
    return text


def run_list(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.workloads.bundled_chart import bundled_charts
    from neuron_cluster.workloads.workload_list import listed_workload, workloads_as_data, workloads_table

    opened, catalog = open_environment(options), load_catalog()
    charts = bundled_charts(opened.project.root / "charts")
    listed = [listed_workload(chart, opened.plan, catalog) for chart in charts]
    if options.format == "json":
        print_json(workloads_as_data(listed))
    else:
        print_tables([workloads_table(listed, opened.plan)])
    return 0


def run_render(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_work import render, show

    return show(render(options), options)


def run_rehearse(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_rehearsal import run

    return run(options)


def run_submit(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_work import render, submit

    return submit(render(options), options)
