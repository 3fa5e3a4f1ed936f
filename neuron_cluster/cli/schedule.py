"""``neuron-cluster schedule``: which pods run on which nodes, and why not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.schedule.pod_shape import PodShape
    from neuron_cluster.schedule.verdict import Verdict

EXAMPLES = """  neuron-cluster schedule train-trn1
  neuron-cluster schedule train-trn1 --workload job.yaml
  neuron-cluster schedule train-trn1 --workload manifests/
  helm template my-model ./chart | neuron-cluster schedule serve-inf1 --workload -
  neuron-cluster schedule train-trn2 --format json | jq '.workloads[] | select(.fails)'"""

TEXT = """Hold every DaemonSet, Deployment and Job of the cluster's software, or a
workload of yours, against every node group: node selector, affinity,
tolerations, and what it asks for against what a node has left (chips, cores by
LNC, EFA, huge pages, processors, memory, pods) and what it claims (DRA) against
what drivers publish there, and say why not.

Offline: charts of others by their recorded pods with the values they get here,
our own by rendering them. A DaemonSet that must run on a group and does not (a
device plugin on nodes with its device, the network plugin anywhere), or a
workload that fits on no group, ends with exit status 1; a DaemonSet that passes
over a group on purpose is only said. A workload of yours that fits and waits
until count.desired is raised is a warning (W9307), with exit status 0."""


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
    add_as_of(parser)
    parser.add_argument(
        "--workload",
        metavar="FILE",
        help="judge the pods of these Kubernetes objects: a file, a folder of *.yaml, or - for standard input",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.rendered_charts import pods_of_software
    from neuron_cluster.cli.terminal import print_findings_sarif
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.project import environment_file
    from neuron_cluster.schedule.node_shape import node_shapes
    from neuron_cluster.schedule.schedule_findings import findings_about, not_placed, scattered, waiting
    from neuron_cluster.schedule.schedulers import schedulers
    from neuron_cluster.schedule.verdict import judge

    file = environment_file(options.environment, options.project)
    catalog = load_catalog()
    checked = check_environment(file.path, shown_as=file.shown_as, catalog=catalog, as_of=as_of(options))
    plan = checked.draft
    if plan is None:
        raise InvalidEnvironment(checked.findings)
    asked, unjudged = _asked(options.workload) if options.workload is not None else ([], [])
    rendered = [*pods_of_software(plan, catalog, options.project), *asked]
    sources, pods = [source for source, _ in rendered], [pod for _, pod in rendered]
    verdicts = judge(plan, pods, catalog)
    by_source = zip(sources, verdicts, strict=True) if plan.eks is not None else ()
    judged = [(source, verdict) for source, verdict in by_source if source is not None]
    shown = verdicts if options.workload is None else verdicts[len(verdicts) - len(asked) :]
    findings = [*checked.findings, *unjudged, *findings_about(judged)]
    if asked and plan.eks is not None:
        known, of_user = schedulers(plan, catalog), zip((source for source, _ in asked), shown, strict=True)
        judged_of_user = list(of_user)
        findings += [*not_placed(asked, known), *scattered(judged_of_user, node_shapes(plan, catalog), known)]
        findings += waiting(judged_of_user)
    if options.format == "json":
        _print_json(plan, shown, pods, catalog, findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    else:
        _print_text(plan, shown, pods, catalog, findings)
    return 1 if has_error(findings) else 0


def _asked(name: str) -> tuple[list[tuple[str, PodShape]], list[Finding]]:
    """The pods of what the user names, and findings about objects that have no verdict.

    Raises ``ToolkitError`` when nothing can be judged, or something cannot be understood.
    """
    from neuron_cluster.cli.user_manifests import user_manifests
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.findings.finding import has_error
    from neuron_cluster.schedule.given_workload import pods_of_workload

    given = list(user_manifests(name))
    everything = [body for _, objects in given for body in objects]
    asked: list[tuple[str, PodShape]] = []
    findings: list[Finding] = []
    for source, objects in given:
        try:
            pods, found = pods_of_workload(source, objects, beside=everything)
        except ValueError as error:
            raise ToolkitError(f"{source}: {error}") from error
        asked += ((source, pod) for pod in pods)
        findings += found
    if not asked and not has_error(findings):
        unknown = "".join(f"; {each.message}" for each in findings)
        raise ToolkitError(
            f"{name} holds no object that makes pods{unknown}",
            hint="name objects that make pods: a Deployment, a Job, a JobSet, …",
        )
    return asked, findings


def _print_json(
    plan: ClusterPlan,
    verdicts: Sequence[Verdict],
    pods: Sequence[PodShape],
    catalog: Catalog,
    findings: Sequence[Finding],
) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.schedule_page import schedule_as_data
    from neuron_cluster.schedule.node_shape import node_shapes
    from neuron_cluster.schedule.room import after_daemons

    left = after_daemons(node_shapes(plan, catalog), pods)
    print_json({**schedule_as_data(verdicts, left), "findings": [finding.as_dict() for finding in findings]})


def _print_text(
    plan: ClusterPlan,
    verdicts: Sequence[Verdict],
    pods: Sequence[PodShape],
    catalog: Catalog,
    findings: Sequence[Finding],
) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.schedule_page import doubt_lines, nodes_table, not_judged, verdict_tables
    from neuron_cluster.schedule.node_shape import node_shapes
    from neuron_cluster.schedule.room import after_daemons

    if plan.eks is None:
        print_paragraph(f"{plan.name} has no EKS cluster: nothing is scheduled.", sys.stdout)
    else:
        left = after_daemons(node_shapes(plan, catalog), pods)
        tables = verdict_tables(verdicts, "Will it schedule?", width()) if verdicts else []
        print_tables([nodes_table(plan, left), *tables])
        for line in (*doubt_lines(verdicts), *not_judged(plan.eks, catalog)):
            print_paragraph(line, sys.stdout)
    print_findings(findings)
