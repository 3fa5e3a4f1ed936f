"""The destination that a verb asks about a deployed environment: it starts no local AWS of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.deploy.destination import Destination, aws_destination
from neuron_cluster.deploy.preflight.checks import account_findings
from neuron_cluster.deploy.running_local import running_local_destination
from neuron_cluster.errors import InvalidEnvironment
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
    with running_local_destination(local.root, plan) as destination:
        yield destination
