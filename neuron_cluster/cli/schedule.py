"""``neuron-cluster schedule``: which pods run on which nodes, and why not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_local_lock, add_verb, as_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.protocol.pod_schedule import PodSchedule

EXAMPLES = """  neuron-cluster schedule train-trn1
  neuron-cluster schedule train-trn1 --workload job.yaml
  neuron-cluster schedule train-trn1 --workload manifests/
  helm template my-model ./chart | neuron-cluster schedule serve-inf1 --workload -
  neuron-cluster schedule train-trn2 --format json \\
    | jq '.workloads[] | select(.fails)'"""

TEXT = """Compare every DaemonSet, Deployment and Job of the cluster's software, or the
pods of your workload, with every node group: node selector, affinity,
tolerations, resource requests against free allocatable (Neuron devices, cores
by LNC, EFA, huge pages, CPU, memory, pods), and DRA claims against the devices
that drivers publish. Prints the reason for each pod that kube-scheduler would
not place. Images of your workload are compared with the Neuron devices, the
driver and the SDK release of the nodes that it fits on, and its volumes of
Mountpoint for S3 with the checkpoints that its pods write there.

Runs offline: third-party charts by the pods recorded in the catalog, with the
values of this environment; bundled charts by rendering them. Exit status 1 if a
DaemonSet does not run on a node group that requires it (such as a device plugin
on nodes with its device), or if a workload fits on no node group. A DaemonSet
that excludes a node group by design is only listed. A workload that fits once
count.desired is raised is a warning (W9307), with exit status 0."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "schedule",
        run,
        summary="show which pods run on which nodes, and why not",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
    )
    add_environment(parser)
    add_local_lock(parser)
    add_as_of(parser)
    parser.add_argument(
        "--workload",
        metavar="FILE",
        help="check the pods of these Kubernetes objects: a file, a folder of *.yaml, or - for standard input",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.terminal import print_findings_sarif
    from neuron_cluster.cli.user_manifests import user_manifests
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.protocol.pod_schedule import UserManifests
    from neuron_cluster.protocol.schedulers import schedulers

    catalog = load_catalog()
    checked = check_environment_file(options, as_of=as_of(options))
    plan, name = checked.require_draft(), options.workload
    manifests = UserManifests(name, tuple(user_manifests(name))) if name is not None else None
    scheduler = next(scheduler for scheduler in schedulers() if scheduler.places_pods)
    schedule = scheduler.schedule(plan, checked.lock, catalog, manifests, options.project)
    findings = [*checked.findings, *schedule.findings]
    if options.format == "json":
        _print_json(schedule, findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    else:
        _print_text(plan, schedule, catalog, findings)
    return 1 if has_error(findings) else 0


def _print_json(schedule: PodSchedule, findings: Sequence[Finding]) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.schedule_page import schedule_as_data

    data = schedule_as_data(schedule.results, schedule.nodes)
    print_json({**data, "findings": [finding.as_dict() for finding in findings]})


def _print_text(plan: ClusterPlan, schedule: PodSchedule, catalog: Catalog, findings: Sequence[Finding]) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.schedule_page import doubt_lines, nodes_table, not_evaluated, result_tables

    if plan.kubernetes is None:
        print_paragraph(f"{plan.name} has no Kubernetes cluster: nothing is scheduled.", sys.stdout)
    else:
        results = schedule.results
        tables = result_tables(results, "Will it schedule?", width()) if results else []
        print_tables([nodes_table(plan, schedule.nodes), *tables])
        for line in (*doubt_lines(results), *not_evaluated(plan.kubernetes, catalog)):
            print_paragraph(line, sys.stdout)
    print_findings(findings)
