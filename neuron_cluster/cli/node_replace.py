"""``neuron-cluster node replace``: other instances in the place of nodes."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_verb
from neuron_cluster.cli.node_change import CHANGE_TEXT, add_change_arguments, change_nodes

TEXT = f"""Replace nodes of a deployed environment with other instances of the same type
and AMI. HyperPod does not drain a node: pods and jobs on it end, and its
volumes, the root volume too, are deleted with what is on them. Save a
checkpoint and stop them first (`workload stop`).

{CHANGE_TEXT}"""

EXAMPLES = """  neuron-cluster node list hyperpod-trn2
  neuron-cluster node replace hyperpod-trn2 i-0123456789abcdef0 --dry-run
  neuron-cluster node replace hyperpod-trn2 i-0123456789abcdef0 --wait"""


def add_to(actions: Verbs) -> None:
    parser = add_verb(
        actions, "replace", run, summary="replace nodes with other instances", text=TEXT, examples=EXAMPLES
    )
    add_change_arguments(parser)


def run(options: argparse.Namespace) -> int:
    return change_nodes(options, "replace")
