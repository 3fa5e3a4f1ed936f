"""``neuron-cluster plan``: what an environment becomes."""

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

EXAMPLES = """  neuron-cluster plan train-trn1             a summary on one screen
  neuron-cluster plan train-trn1 --details   every table
  neuron-cluster plan train-trn1 --format json | jq .price
  neuron-cluster plan train-trn2 --scale
  neuron-cluster plan train-trn1 --details --time
  neuron-cluster plan drafts/big.yaml"""

TEXT = """Show what a deploy creates. The summary has the cluster, the network, nodes and
Neuron devices, the price, what is missing before a deploy to AWS, the worst
finding, and tables of groups, storage, subnets and teams. With --details:
stacks, subnets and addresses, groups with every network card, storage, add-ons
and charts with versions, and access; a value marked with * is a default: the
file does not set it. With --time: the expected time of a first deploy and its
critical path, alone or below the tables of --details. It comes from the
templates, which are synthesized as `synth` does unless they are kept. Runs
offline."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "plan", run, summary="show what a deploy creates, and its price", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    add_as_of(parser)
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--details", action="store_true", help="show every table and every finding, not the summary")
    shown.add_argument(
        "--scale",
        action="store_true",
        help="show only service limits, and the use of each at the maximum sizes",
    )
    parser.add_argument(
        "--time",
        action="store_true",
        help="show the expected time of a first deploy and its critical path, with --details below all tables",
    )
    parser.set_defaults(usage_error=parser.error)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.plan_text import print_details, print_summary
    from neuron_cluster.cli.plan_time import show_time, synthesized_time
    from neuron_cluster.cli.terminal import print_findings, print_json
    from neuron_cluster.cost.environment_cost import environment_cost
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.opened_environment import accepted_plan, project_findings
    from neuron_cluster.project import find_project
    from neuron_cluster.report.plain_data import plain
    from neuron_cluster.report.plan_page import plan_as_data
    from neuron_cluster.report.plan_summary import SummaryParts

    if options.time and options.scale:
        options.usage_error("argument --time: not allowed with argument --scale")
    if options.time and not options.details:
        return show_time(options)
    catalog, on = load_catalog(), as_of(options)
    checked = check_environment_file(options, as_of=on)
    of_project = project_findings(find_project(options.project))
    plan, all_findings = accepted_plan(checked, of_project), (*checked.findings, *of_project)
    if options.scale:
        return _print_scale(plan, catalog, all_findings, in_json=options.format == "json")
    if options.format == "json":
        findings = [finding.as_dict() for finding in all_findings]
        time = {"time": plain(synthesized_time(options))} if options.time else {}
        print_json({**plan_as_data(plan, catalog, on), **time, "findings": findings})
        return 0
    cost = environment_cost(plan, catalog, on)
    parts = SummaryParts(
        plan=plan, catalog=catalog, cost=cost, findings=all_findings, has_lock=checked.lock is not None
    )
    argument = f"{'--local ' if options.local else ''}{as_argument(checked.loaded.source.file)}"
    if options.details:
        print_details(parts, checked.require_resolved().provenances)
        _print_time(options, plan.name, argument)
        print_findings(all_findings)
    else:
        print_summary(parts, argument)
    return 0


def _print_time(options: argparse.Namespace, name: str, argument: str) -> None:
    """The expected time where the command line asks for it, otherwise the command that shows it: it takes seconds."""
    from neuron_cluster.cli.plan_time import print_time, synthesized_time
    from neuron_cluster.cli.terminal import print_paragraph

    if options.time:
        print()
        print_time(name, synthesized_time(options))
    else:
        command = f"`neuron-cluster plan {argument} --details --time`"
        print_paragraph(f"Expected time of a first deploy, and its critical path: {command}.", sys.stdout)


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
