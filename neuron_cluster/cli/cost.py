"""``neuron-cluster cost``: what an environment costs, line by line."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_local_lock, add_verb, as_of

if TYPE_CHECKING:
    from neuron_cluster.cost.environment_cost import EnvironmentCost
    from neuron_cluster.cost.live import LiveCost
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan

EXAMPLES = """  neuron-cluster cost train-trn1
  neuron-cluster cost train-trn1 --format json \\
    | jq .totals.desired.monthly_usd
  neuron-cluster cost serve-inf1 --as-of 2027-01-01
  neuron-cluster cost dev-trn2 --live    with the prices of AWS beside"""

TEXT = """Show what an environment costs an hour and a month (730 hours), idle, at the
desired counts and at the maximum: instances, volumes, control plane, NAT
gateways, endpoints, addresses, file systems, buckets, keys, alarms. A capacity
block is a sum with its dates. Runs offline, with the reference prices of the
catalog. An unknown price makes its line unknown and a sum a lower bound.

With --live it also queries the prices of AWS (pricing:GetProducts, and
ec2:DescribeSpotPriceHistory for Spot instances, both read-only) and shows by
how much they differ. `neuron-cluster capacity offers` has the prices of
capacity blocks."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "cost", run, summary="show what an environment costs, by line", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    add_as_of(parser)
    parser.add_argument("--live", action="store_true", help="query the prices of AWS, and compare; needs an account")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cost.environment_cost import environment_cost

    catalog = load_catalog()
    checked = check_environment_file(options, as_of=as_of(options))
    plan = checked.require_plan()
    cost = environment_cost(plan, catalog, as_of(options))
    live = _live(cost, plan) if options.live else None
    if options.format == "json":
        _print_json(cost, live, checked.findings)
    else:
        _print_text(cost, live, checked.findings)
    return 0


def _live(cost: EnvironmentCost, plan: ClusterPlan) -> LiveCost:
    """Queries AWS with the user's credentials."""
    from neuron_cluster.aws.errors import NoCredentialsError
    from neuron_cluster.aws.session import AwsTarget
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.cost.live import live_cost
    from neuron_cluster.deploy.aws_endpoints import aws_endpoints

    for endpoint in aws_endpoints():
        print_paragraph(f"AWS is called through {endpoint}.", sys.stderr)
    try:
        return live_cost(cost, plan, AwsTarget(plan.region), datetime.now(UTC))
    except NoCredentialsError as error:
        hint = "sign in (`aws sso login`, `aws configure`, or keys); without --live the command needs no account"
        raise NoCredentialsError(error.message, hint=hint) from error


def _print_json(cost: EnvironmentCost, live: LiveCost | None, findings: tuple[Finding, ...]) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.cost_page import cost_as_data
    from neuron_cluster.report.live_cost_page import live_as_data

    queried = live_as_data(live.at, live.cost, live.differences) if live is not None else None
    print_json({**cost_as_data(cost), "live": queried, "findings": [finding.as_dict() for finding in findings]})


def _print_text(cost: EnvironmentCost, live: LiveCost | None, findings: tuple[Finding, ...]) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables
    from neuron_cluster.report.cost_page import closing_sentences, cost_tables
    from neuron_cluster.report.live_cost_page import live_tables

    print_tables(cost_tables(cost))
    if live is not None:
        print_tables(live_tables(live.at, cost, live.cost, live.differences))
    for sentence in closing_sentences(cost):
        print_paragraph(sentence, sys.stdout)
    print_findings(findings)
