"""The result of a deploy: resources, differences from the file, and next steps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.differences import differences
from neuron_cluster.deploy.existing import Existing, read_existing
from neuron_cluster.deploy.health import health_findings
from neuron_cluster.deploy.next_steps import next_steps
from neuron_cluster.deploy.progress import StackProgress
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.existing import NextStep


class DeployResult(Struct, frozen=True):
    """Read back from the services."""

    existing: Existing
    findings: tuple[Finding, ...]
    """Node groups that are not healthy, or not of the size that the file desires; settings that differ from it."""
    next_steps: tuple[NextStep, ...]


def deploy_result(plan: ClusterPlan, destination: Destination, ended: Sequence[StackProgress]) -> DeployResult:
    """Raises ``ToolkitError`` when a service does not answer."""
    existing = read_existing(destination.target, [stack.name for stack in ended])
    unhealthy = health_findings(existing, plan, destination)
    differing = differences(existing, plan, destination)
    return DeployResult(existing, (*unhealthy, *differing), tuple(next_steps(plan, existing)))
