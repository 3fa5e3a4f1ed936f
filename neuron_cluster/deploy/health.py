"""Findings on unhealthy resources after a deploy: the CDK command only waits for its own changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.existing import Existing, ExistingStack
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan

FINISHED = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"})
"""A stack that was rolled back to the state of the file is finished: the CDK command found nothing to change."""


def health_findings(existing: Existing, plan: ClusterPlan, destination: Destination) -> list[Finding]:
    """E9522 for a stack that is not finished, then those of each provider."""
    of_providers = (found for each in existing.providers for found in each.findings(plan, destination))
    return [*_of_stacks(existing.stacks, destination), *of_providers]


def _of_stacks(stacks: Iterable[ExistingStack], destination: Destination) -> Iterator[Finding]:
    for stack in stacks:
        if stack.status not in FINISHED:
            events = destination.aws_command("cloudformation describe-stack-events", stack_name=stack.name)
            hint = f"another command changes it, or its change failed: `{events}` shows which, and when it has ended; "
            message = f"the stack is {stack.status} after the deploy"
            yield Finding("E9522", Location(stack.name), message, f"{hint}then deploy again")
