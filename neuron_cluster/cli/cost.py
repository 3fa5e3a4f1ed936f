"""``neuron-cluster cost``: what an environment costs, line by line."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of

EXAMPLES = """  neuron-cluster cost train-trn1
  neuron-cluster cost train-trn1 --format json \\
    | jq .totals.desired.monthly_usd
  neuron-cluster cost serve-inf1 --as-of 2027-01-01"""

TEXT = """Show what an environment costs an hour and a month (730 hours), idle, at the
desired counts and at the maximum: instances, volumes, control plane, NAT
gateways, endpoints, addresses, file systems, buckets, keys, alarms. A capacity
block is a sum with its dates. Runs offline, with the reference prices of the
catalog. An unknown price makes its line unknown and a sum a lower bound."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "cost", run, summary="show what an environment costs, by line", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_as_of(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.cost.environment_cost import environment_cost
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.project import environment_file
    from neuron_cluster.report.cost_page import closing_sentences, cost_as_data, cost_tables

    file = environment_file(options.environment, options.project)
    catalog = load_catalog()
    checked = check_environment(file.path, display_name=file.display_name, catalog=catalog, as_of=as_of(options))
    cost = environment_cost(checked.require_plan(), catalog, as_of(options))
    if options.format == "json":
        print_json({**cost_as_data(cost), "findings": [finding.as_dict() for finding in checked.findings]})
        return 0
    print_tables(cost_tables(cost))
    for sentence in closing_sentences(cost):
        print_paragraph(sentence, sys.stdout)
    print_findings(checked.findings)
    return 0
