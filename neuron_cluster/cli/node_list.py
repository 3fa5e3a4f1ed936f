"""``neuron-cluster node list``: every node, as its service lists it."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

TEXT = """List the nodes of a deployed environment as their service lists them now: id,
group of the file, type, status, when the instance was launched, and the message
of the service. The zone is that of the group in the file. A node that has no
instance yet has the id by which HyperPod tracks it, with continuous
provisioning. Only reads: sagemaker:DescribeCluster, ListClusterNodes."""

EXAMPLES = """  neuron-cluster node list hyperpod-trn2
  neuron-cluster node list hyperpod-trn2 --local
  neuron-cluster node list hyperpod-trn2 --format json \\
    | jq -r '.nodes[] | select(.status == "Failure") | .id'"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "list", run, summary="list nodes with their status", text=TEXT, examples=EXAMPLES)
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="ask the running local AWS")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.node_query import opened_nodes
    from neuron_cluster.cli.terminal import print_json, print_tables
    from neuron_cluster.deploy.deployed_nodes import deployed_nodes
    from neuron_cluster.findings.text import counted
    from neuron_cluster.report.nodes_page import node_as_data, nodes_table

    with opened_nodes(options, "list") as (query, where):
        nodes = [node for served in deployed_nodes(query) for node in served.nodes]
    if options.format == "json":
        print_json({"environment": query.plan.name, "nodes": [node_as_data(node) for node in nodes]})
    else:
        print_tables([nodes_table(f"{counted(len(nodes), 'node')} of {query.plan.name} on {where}", nodes)])
    return 0
