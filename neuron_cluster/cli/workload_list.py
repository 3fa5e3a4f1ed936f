"""``neuron-cluster workload list``: the bundled charts and the node groups that each fits, or what runs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb
from neuron_cluster.cli.workload_options import add_own_options, missing_options, option_values
from neuron_cluster.findings.text import listed

if TYPE_CHECKING:
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.protocol.running_work import RunningList
    from neuron_cluster.protocol.submission import JobListing

TEXT = """Show the workloads, the components that each requires and whether the
environment installs them, and the node groups that each can run on; with Slurm
its jobs and compute node groups too. Runs offline.

With --running: the training jobs of SageMaker, or the releases of bundled charts in the cluster, with state,
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
    add_own_options(listing, "list")


def run(options: argparse.Namespace) -> int:
    if options.running:
        return _list_running(options)
    from neuron_cluster.protocol.schedulers import schedulers

    own = {option.name: option.destination for each in schedulers() for option in each.options_of("list")}
    if any(getattr(options, destination) for destination in own.values()):
        options.usage_error(f"{listed(list(own))} are for --running")
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.report.workloads_table import workloads_as_data, workloads_table

    opened, catalog = open_environment(options), load_catalog()
    found = [workload for each in schedulers() for workload in each.listed(opened.plan, catalog)]
    if options.format == "json":
        print_json(workloads_as_data(found))
    else:
        print_tables([workloads_table(found, opened.plan)])
    return 0


def _list_running(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.cli.workload_running import running_scheduler
    from neuron_cluster.findings.text import printable

    opened = open_environment(options)
    scheduler = running_scheduler(opened, options, "list")
    if missing := missing_options(scheduler, options, "list"):
        options.usage_error(f"--running requires {listed(missing)}")
    job = scheduler.api_job(opened.plan)
    if job is not None and job.listing is not None:
        found = _running_jobs(opened, job.listing, options)
    else:
        found = scheduler.running_list(opened, option_values(scheduler, options, "list"))
    if options.format == "json":
        print_json(found.document)
        return 0
    print_tables([found.table])
    for text in found.forbidden:
        print(f"may not be read: {printable(text)}", file=sys.stderr)
    return 0


def _running_jobs(opened: OpenedEnvironment, listing: JobListing, options: argparse.Namespace) -> RunningList:
    """Only credentials of the account of the file are used."""
    from neuron_cluster.cli.destination import opened_destination
    from neuron_cluster.deploy.api_jobs import running_jobs
    from neuron_cluster.deploy.job_submission import require_own_account

    with opened_destination(opened, sys.stderr, local=options.local) as destination:
        require_own_account(opened, destination)
        return running_jobs(listing, opened.plan.name, destination.target)
