"""``neuron-cluster node``: the nodes of a deployed environment."""

from __future__ import annotations

from neuron_cluster.cli import node_list, node_reboot, node_replace
from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """List the nodes of a deployed environment, and replace or reboot some of them,
through the service that has them: SageMaker HyperPod (section `hyperpod`),
whichever orchestrator its cluster has. `status` shows the nodes of every other
section."""

EXAMPLES = """  neuron-cluster node list hyperpod-trn2
  neuron-cluster node reboot hyperpod-trn2 i-0123456789abcdef0
  neuron-cluster node replace hyperpod-trn2 i-0123456789abcdef0 --wait
`neuron-cluster node replace --help` lists the options"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "node",
        help="list, replace and reboot nodes of HyperPod",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for action in (node_list, node_replace, node_reboot):
        action.add_to(actions)
