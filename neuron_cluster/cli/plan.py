"""``neuron-cluster plan``: what an environment becomes."""

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

EXAMPLES = """  neuron-cluster plan train-trn1
  neuron-cluster plan train-trn1 --format json | jq .price
  neuron-cluster plan train-trn2 --scale
  neuron-cluster plan drafts/big.yaml"""

TEXT = """Show what a deploy creates: stacks, subnets and addresses, node groups with
every network card, storage, add-ons and charts with versions, access, and the
hourly reference price. Runs offline. A value marked with * is a default: the
file does not set it."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "plan", run, summary="show what a deploy creates, and its price", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_as_of(parser)
    parser.add_argument(
        "--scale",
        action="store_true",
        help="show only service limits, and the use of each at the maximum sizes",
    )


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables, width
    from neuron_cluster.opened_environment import accepted_plan, project_findings
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.project import environment_file, find_project
    from neuron_cluster.report.plan_page import closing_lines, plan_as_data, plan_tables

    file = environment_file(options.environment, options.project)
    catalog = load_catalog()
    checked = check_environment(file.path, display_name=file.display_name, catalog=catalog, as_of=as_of(options))
    project = find_project(options.project)
    of_project = project_findings(project) if project is not None else []
    plan, all_findings = accepted_plan(checked, of_project), (*checked.findings, *of_project)
    if options.scale:
        return _print_scale(plan, catalog, all_findings, in_json=options.format == "json")
    if options.format == "json":
        findings = [finding.as_dict() for finding in all_findings]
        print_json({**plan_as_data(plan, catalog, as_of(options)), "findings": findings})
        return 0
    given = checked.require_resolved().provenances
    print_tables(plan_tables(plan, catalog, given, width()))
    for line in closing_lines(plan, catalog, as_of(options)):
        print_paragraph(line, sys.stdout)
    print_findings(all_findings)
    return 0


def _print_scale(plan: ClusterPlan, catalog: Catalog, findings: Sequence[Finding], *, in_json: bool) -> int:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.plan.scale import build_scale
    from neuron_cluster.report.scale_page import scale_as_data, scale_table, source_lines

    uses = build_scale(plan, catalog)
    if in_json:
        print_json({"limits": scale_as_data(uses), "findings": [finding.as_dict() for finding in findings]})
        return 0
    print_tables([scale_table(uses, f"{plan.name}: limits, the closest first")])
    for line in source_lines(uses):
        print_paragraph(line, sys.stdout)
    print_findings(findings)
    return 0
