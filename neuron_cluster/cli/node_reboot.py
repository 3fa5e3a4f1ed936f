"""``neuron-cluster node reboot``: nodes start again on their instances."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.node_change import CHANGE_TEXT, add_change_arguments, change_nodes

TEXT = f"""Reboot nodes of a deployed environment: the instances shut down and start again,
with their ids and volumes. HyperPod does not drain a node: pods and jobs on it
end. Save a checkpoint and stop them first (`workload stop`).

{CHANGE_TEXT}

No source names the statuses of a node that reboots: one that is Running in each
reading of --wait is taken to be back after five minutes."""

EXAMPLES = """  neuron-cluster node list hyperpod-trn2
  neuron-cluster node reboot hyperpod-trn2 i-0123456789abcdef0 --wait
  neuron-cluster node reboot hyperpod-trn2 hyperpod-i-0123456789abcdef0 --yes"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(actions, "reboot", run, summary="reboot nodes", text=TEXT, examples=EXAMPLES)
    add_change_arguments(parser)


def run(options: argparse.Namespace) -> int:
    return change_nodes(options, "reboot")
