"""``neuron-cluster storage``: checkpoint storage, sized from what a training needs."""

from __future__ import annotations

from neuron_cluster.cli import storage_drill, storage_simulate, storage_size
from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Size checkpoint storage from the model, the framework and the nodes, simulate
what failures cost on it, and restore the newest checkpoint as a drill. Size and
simulate run offline."""

EXAMPLES = """  neuron-cluster storage size --parameters 70B --framework dcp \\
    --instance-type trn1.32xlarge --nodes 32 --region us-east-2
  neuron-cluster storage simulate --parameters 70B --framework dcp \\
    --instance-type trn1.32xlarge --nodes 32 --region us-east-2
  neuron-cluster storage drill train-trn1
`neuron-cluster storage size --help` lists the options"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "storage",
        help="size and simulate checkpoint storage, drill a restore",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for action in (storage_size, storage_simulate, storage_drill):
        action.add_to(actions)
