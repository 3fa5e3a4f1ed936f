"""``neuron-cluster workload list``: the bundled charts and the node groups that each fits, or what runs."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb
from neuron_cluster.cli.workload_cluster import add_context

TEXT = """Show the workloads, the components that each requires and whether the
environment installs them, and the node groups that each can run on; with Slurm
its jobs and compute node groups too. Runs offline.

With --running: the releases of bundled charts in the cluster, with state,
queue, nodes, age and reference price an hour. Reads all namespaces unless
--namespace names one. --context must be the environment's cluster, as for
`workload submit`."""

EXAMPLES = """  neuron-cluster workload list train-trn1
  neuron-cluster workload list slurm-trn1
  neuron-cluster workload list train-trn1 --format json | jq '.[].node_groups'
  neuron-cluster workload list train-trn2 --running --context trn2"""


def add_to(actions: Verbs) -> None:
    listing = add_verb(
        actions, "list", run, summary="show workloads and their node groups", text=TEXT, examples=EXAMPLES
    )
    add_environment(listing)
    add_local_lock(listing)
    listing.add_argument("--running", action="store_true", help="show the releases in the cluster instead")
    add_context(listing, is_required=False, namespace="all, with --running")
    listing.set_defaults(usage_error=listing.error)


def run(options: argparse.Namespace) -> int:
    if options.running:
        return _list_running(options)
    if options.context or options.kubeconfig or options.namespace:
        options.usage_error("--context, --kubeconfig and --namespace are for --running")
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.protocol.registry import registered
    from neuron_cluster.toolkit_files import CHARTS
    from neuron_cluster.workloads.bundled_chart import bundled_charts
    from neuron_cluster.workloads.workload_list import (
        listed_job,
        listed_workload,
        workloads_as_data,
        workloads_table,
    )

    opened, catalog = open_environment(options), load_catalog()
    charts = bundled_charts(CHARTS)
    listed = [listed_workload(chart, opened.plan, catalog) for chart in charts]
    for provider in registered():
        jobs = ((job, provider.job_groups(job, opened.plan, catalog)) for job in provider.jobs())
        listed += [
            listed_job(job.name, job.description, [(each.group, each.why_not, each.requires) for each in groups])
            for job, groups in jobs
            if groups
        ]
    if options.format == "json":
        print_json(workloads_as_data(listed))
    else:
        print_tables([workloads_table(listed, opened.plan)])
    return 0


def _list_running(options: argparse.Namespace) -> int:
    if not options.context:
        options.usage_error("--running requires --context")
    from datetime import UTC, datetime

    from msgspec import to_builtins

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.cli.workload_cluster import open_cluster
    from neuron_cluster.findings.text import printable
    from neuron_cluster.report.running_table import running_table
    from neuron_cluster.workloads.running.release import releases_in
    from neuron_cluster.workloads.running.running_list import running_releases

    session = open_cluster(options)
    state = session.read(options.namespace, datetime.now(UTC))
    found = running_releases(releases_in(state, session.charts), state, load_catalog(), session.plan.region)
    if options.format == "json":
        print_json({"environment": session.plan.name, "releases": to_builtins(found), "forbidden": state.forbidden})
        return 0
    print_tables([running_table(found, session.plan.name)])
    for words in state.forbidden:
        print(f"may not be read: {printable(words)}", file=sys.stderr)
    return 0
