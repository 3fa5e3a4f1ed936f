"""The local AWS that runs for a project, for commands that look at what is deployed and start none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neuron_cluster.aws.session import close_clients
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.local_server import isolated_environ, running_server
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan


@contextmanager
def running_local_destination(project: Path, plan: ClusterPlan) -> Iterator[Destination]:
    """Raises ``ToolkitError`` where no local AWS runs for the project."""
    server = running_server(project)
    if server is None:
        hint = "start one with `neuron-cluster local` and deploy to it"
        raise ToolkitError("no local AWS runs for this project, so nothing is deployed on it", hint=hint)
    with isolated_environ():
        destination = local_destination(
            server.endpoint, plan.account, plan.region, is_fresh_account=server.is_fresh_account
        )
        try:
            yield destination
        finally:
            close_clients(destination.target)
