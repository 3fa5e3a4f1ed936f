"""``neuron-cluster workload``: our own charts with values that fit an environment."""

from __future__ import annotations

import argparse
from pathlib import Path

from neuron_cluster.cli.arguments import Verbs, a_count, add_environment, add_verb
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Run a workload of charts/ in an environment: collectives-check, neuron-training,
neuron-serving, compile-cache-warmer, neuron-explorer. The values follow from
the environment's plan, so that the pods fit its nodes exactly, or the reasons
are told why they cannot."""

EXAMPLES = """  neuron-cluster workload list train-trn2
  neuron-cluster workload render collectives-check train-trn2
  neuron-cluster workload submit neuron-training train-trn2 --context trn2 ...
`neuron-cluster workload render --help` and `... submit --help` have more"""

LIST_TEXT = """Show the workloads, what each needs of the cluster's software and whether the
environment has it, and the node groups that it runs on. Offline."""

LIST_EXAMPLES = """  neuron-cluster workload list train-trn1
  neuron-cluster workload list train-trn1 --format json | jq '.[].node_groups'"""

RENDER_TEXT = """Choose values for a chart, render it with the helm of the cluster's Kubernetes
version, and judge the result: by the rules of Kubernetes objects, by the software
that the environment has, and by what a node has left for pods. Offline; nothing
is installed.

Chosen are node group, machine (chips, cores, EFA, CPUs and memory after what
DaemonSets take), tolerations, queue, image and compiler release. Not known here
are names that appear at a deploy or are yours: --bucket and --claim say them.

YAML goes to standard output, findings to standard error. With an error nothing
is written and the exit status is 1. Values of your own win: --values, then --set.
KEY=VALUE takes JSON where VALUE is JSON (replicas=2), else text."""

RENDER_EXAMPLES = """  neuron-cluster workload render collectives-check train-trn2 --nodes 4
  neuron-cluster workload render neuron-training train-trn1 --claim lustre \\
    --values-only > values.yaml
  neuron-cluster workload render neuron-serving train-trn2 --claim models \\
    --set machine.neuronDevices=4 --set replicas=4 --output out/"""

SUBMIT_TEXT = """Render and judge as `workload render` does; with no error among the findings, run
`helm upgrade --install` with the chosen values against one cluster. Does not wait
for pods: with a queue or a block that has not begun they may start much later.

The context must be named, and must be the environment's cluster: its entry is
named after the cluster's ARN, or its login names cluster and Region. This command
asks AWS nothing; the login in your kubeconfig (`aws eks get-token`) may."""

SUBMIT_EXAMPLES = """  aws eks update-kubeconfig --name train-trn2 --region us-east-2 --alias trn2
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama --dry-run
  neuron-cluster workload submit neuron-training train-trn2 --claim lustre \\
    --context trn2 --namespace default --release llama"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "workload",
        help="run our charts where they fit",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    listing = add_verb(
        actions, "list", run_list, summary="workloads, and where they run", text=LIST_TEXT, examples=LIST_EXAMPLES
    )
    add_environment(listing)
    rendering = add_verb(
        actions,
        "render",
        run_render,
        summary="values and objects",
        text=RENDER_TEXT,
        examples=RENDER_EXAMPLES,
        has_sarif=True,
    )
    _add_choices(rendering, must_name_namespace=False)
    rendering.add_argument("--values-only", action="store_true", help="print the values, not the objects")
    rendering.add_argument(
        "--output", metavar="FILE|DIR", type=_place, help="write there; DIR/ gets values.yaml and objects.yaml"
    )
    submitting = add_verb(
        actions, "submit", run_submit, summary="install it in a cluster", text=SUBMIT_TEXT, examples=SUBMIT_EXAMPLES
    )
    _add_choices(submitting, must_name_namespace=True)
    submitting.add_argument("--context", metavar="NAME", required=True, help="context of the kubeconfig")
    submitting.add_argument("--kubeconfig", metavar="FILE", type=Path, help="(default: KUBECONFIG, ~/.kube/config)")
    submitting.add_argument("--helm", metavar="FILE", type=Path, help="helm to install with (default: the bundled one)")
    submitting.add_argument("--dry-run", action="store_true", help="print the helm command and stop")


def _add_choices(parser: argparse.ArgumentParser, *, must_name_namespace: bool) -> None:
    parser.add_argument("chart", metavar="CHART", help="a workload of `workload list`")
    add_environment(parser)
    parser.add_argument("--group", metavar="GROUP", help="node group (default: the only one that fits)")
    parser.add_argument("--nodes", metavar="N", type=a_count, help="nodes of the job, or of one replica")
    parser.add_argument("--queue", metavar="QUEUE", help="Kueue queue (default: the group's own; '' for none)")
    parser.add_argument("--front-end", metavar="NAME", help="jax, nxd, torchtitan; vllm, vllm_nxd; as the chart has")
    parser.add_argument("--bucket", metavar="NAME", help="S3 bucket for compiled graphs and profiles")
    parser.add_argument("--claim", metavar="NAME", help="PersistentVolumeClaim for checkpoints, weights and the rest")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings", help="one value")
    parser.add_argument("--values", metavar="FILE", type=Path, help="a YAML file of values")
    parser.add_argument("--release", metavar="NAME", type=_release, help="helm release (default: the chart's name)")
    parser.add_argument(
        "--namespace",
        metavar="NAME",
        type=_namespace,
        required=must_name_namespace,
        help="namespace of the release" + ("" if must_name_namespace else " (default: the first of eks.namespaces)"),
    )


def _release(text: str) -> str:
    return _dns_label(text, 53)  # helm's own limit, which leaves room for what charts add


def _namespace(text: str) -> str:
    return _dns_label(text, 63)


def _dns_label(text: str, longest: int) -> str:
    from neuron_cluster.kubernetes.dns_names import is_label

    if len(text) > longest or not is_label(text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no name here: at most {longest} of a-z, 0-9 and '-', with no '-' at an end"
        )
    return text


def _place(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the place is empty: a file, or a folder with a / at its end, is expected")
    return text


def run_list(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.environment import open_environment
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.workloads.bundled_chart import bundled_charts
    from neuron_cluster.workloads.workload_list import listed_workload, workloads_as_data, workloads_table

    opened, catalog = open_environment(options), load_catalog()
    charts = bundled_charts(opened.project.root / "charts")
    listed = [listed_workload(chart, opened.plan, catalog) for chart in charts]
    if options.format == "json":
        print_json(workloads_as_data(listed))
    else:
        print_tables([workloads_table(listed, opened.plan.name)])
    return 0


def run_render(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_work import render, show

    return show(render(options), options)


def run_submit(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.workload_work import render, submit

    return submit(render(options), options)
