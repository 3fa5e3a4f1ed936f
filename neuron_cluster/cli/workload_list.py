"""``neuron-cluster workload list``: the bundled charts and the node groups that each fits."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

TEXT = """Show the workloads, the components that each requires and whether the
environment installs them, and the node groups that each can run on. Runs
offline."""

EXAMPLES = """  neuron-cluster workload list train-trn1
  neuron-cluster workload list train-trn1 --format json | jq '.[].node_groups'"""


def add_to(actions: Verbs) -> None:
    listing = add_verb(
        actions, "list", run, summary="show workloads and their node groups", text=TEXT, examples=EXAMPLES
    )
    add_environment(listing)


def run(options: argparse.Namespace) -> int:
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
