"""Opening the environment whose nodes the actions of `neuron-cluster node` list or change."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.protocol.nodes import NodeQuery


@contextlib.contextmanager
def opened_nodes(options: argparse.Namespace, verb: str) -> Iterator[tuple[NodeQuery, str]]:
    """Yields the query and a description of the account; a file with errors has nodes too, where it has a plan.

    Raises ``NoNodesError`` before a call is made.
    """
    from neuron_cluster.cli.open_environment import check_environment_file, local_project
    from neuron_cluster.deploy.deployed_destination import deployed_destination
    from neuron_cluster.deploy.deployed_nodes import node_services
    from neuron_cluster.lock.paths import as_argument
    from neuron_cluster.protocol.nodes import NodeQuery

    checked = check_environment_file(options)
    plan = checked.require_draft()
    argument = as_argument(options.environment)
    node_services(plan, verb, f"neuron-cluster status{' --local' if options.local else ''} {argument}")
    with deployed_destination(plan, checked.loaded.source.locate, local_project(options)) as destination:
        query = NodeQuery(plan, destination, checked.catalog, argument)
        yield query, destination.description
