"""``neuron-cluster image``: the AMI that an environment's nodes need and AWS does not publish."""

from __future__ import annotations

from neuron_cluster.cli import image_build
from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Build the AMI of Slurm nodes: a Neuron Deep Learning AMI with the PCS agent, Slurm,
the Lustre client, enroot and pyxis. AWS publishes no such AMI."""

EXAMPLES = """  neuron-cluster image build slurm-trn1
`neuron-cluster image build --help` lists the options"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "image",
        help="build the AMI of Slurm nodes",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    image_build.add_to(actions)
