"""The destination that a verb asks about a deployed environment: it starts no local AWS of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from neuron_cluster.aws.session import close_clients
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.deploy.destination import Destination, aws_destination, local_destination
from neuron_cluster.deploy.local_server import isolated_environ, running_server
from neuron_cluster.deploy.preflight.checks import account_findings
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.project import Project


@contextmanager
def deployed_destination(
    plan: ClusterPlan, locate: Callable[[KeyPath], Location], local: Project | None
) -> Iterator[Destination]:
    """AWS in the account and Region of the plan; with ``local``, the local AWS that runs for this project.

    Raises ``InvalidEnvironment`` for credentials of another account, ``ToolkitError`` where no local AWS runs.
    """
    if local is None:
        destination = aws_destination(plan.account, plan.region)
        if findings := account_findings(plan, destination, locate):
            raise InvalidEnvironment(findings)
        yield destination
        return
    server = running_server(local.root)
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
