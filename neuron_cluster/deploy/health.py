"""What is not well after a deploy: the CDK command waits for its own changes alone, CloudFormation for no new nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neuron_cluster.deploy.existing import Existing, ExistingStack
from neuron_cluster.findings import Finding, Location

ACTIVE = "ACTIVE"
FINISHED = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"})
"""A stack that was rolled back to what the file says is finished: the CDK command found nothing to change."""

GROUP_HINT = (
    "correct what it names (count, zone, reservation, quota) and deploy again; EKS goes on trying, and "
    "`aws eks describe-nodegroup` tells how it went"
)
STACK_HINT = "another command changes it, or its change failed: read its events, wait for the end and deploy again"
ADDON_HINT = "`aws eks describe-addon` says what it lacks: mostly a node that its pods may run on"


def health_findings(existing: Existing) -> list[Finding]:
    """E9522 for a stack that is not finished, E9523 for a node group that is not ACTIVE, W9505 for lesser issues."""
    return [*_of_stacks(existing.stacks), *_of_groups(existing), *_of_addons(existing)]


def _of_stacks(stacks: Iterable[ExistingStack]) -> Iterator[Finding]:
    for stack in stacks:
        if stack.status not in FINISHED:
            yield Finding("E9522", Location(stack.name), f"the stack is {stack.status} after the deploy", STACK_HINT)


def _of_groups(existing: Existing) -> Iterator[Finding]:
    for found in existing.node_groups:
        group = found.group
        finding_id = "W9505" if group.status == ACTIVE else "E9523"
        reasons = [f": {issue}" for issue in group.issues] or ([""] if group.status != ACTIVE else [])
        for reason in reasons:
            yield Finding(finding_id, Location(group.name), f"the node group is {group.status}{reason}", GROUP_HINT)


def _of_addons(existing: Existing) -> Iterator[Finding]:
    for addon in existing.addons:
        if addon.status != ACTIVE:
            yield Finding("W9505", Location(addon.name), f"the managed add-on is {addon.status}", ADDON_HINT)
