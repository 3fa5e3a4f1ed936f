"""``neuron-cluster cache``: the compile cache of a deployed environment."""

from __future__ import annotations

from neuron_cluster.cli import cache_clean, cache_status
from neuron_cluster.cli.arguments import Verbs
from neuron_cluster.cli.columns import HelpFormatter

TEXT = """Show what is in the compile cache of an environment (storage.compile_cache),
and delete graphs that no environment uses and what failed compilations left."""

EXAMPLES = """  neuron-cluster cache status train-trn1
  neuron-cluster cache clean train-trn1           show what would be deleted
  neuron-cluster cache clean train-trn1 --delete  delete it
`neuron-cluster cache clean --help` lists the options"""


def add_to(verbs: Verbs) -> None:
    parser = verbs.add_parser(
        "cache",
        help="show and clean the compile cache",
        description=TEXT,
        epilog=f"examples:\n{EXAMPLES}",
        formatter_class=HelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for action in (cache_status, cache_clean):
        action.add_to(actions)
