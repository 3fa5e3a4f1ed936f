"""What is not well after a deploy: the CDK command waits for its own changes alone, CloudFormation for no new nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.existing import Existing, ExistingStack
from neuron_cluster.findings.finding import Finding, Location

ACTIVE = "ACTIVE"
BLOCK = "CAPACITY_BLOCK"
FINISHED = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"})
"""A stack that was rolled back to what the file says is finished: the CDK command found nothing to change."""


def health_findings(
    existing: Existing, destination: Destination, wanted: Mapping[str, int] | None = None
) -> list[Finding]:
    """E9522 for a stack that is not finished, E9523 for a node group that is not ACTIVE, W9505 for lesser issues.

    ``wanted`` is the desired size of each node group in the file, by the group's name in EKS: E9532 for another one.
    """
    groups, addons = _of_groups(existing, destination), _of_addons(existing, destination)
    sizes = _of_sizes(existing, destination, wanted or {})
    return [*_of_stacks(existing.stacks, destination), *groups, *sizes, *addons]


def _of_stacks(stacks: Iterable[ExistingStack], destination: Destination) -> Iterator[Finding]:
    for stack in stacks:
        if stack.status not in FINISHED:
            events = destination.aws_command("cloudformation describe-stack-events", stack_name=stack.name)
            hint = f"another command changes it, or its change failed: `{events}` shows which, and when it has ended; "
            message = f"the stack is {stack.status} after the deploy"
            yield Finding("E9522", Location(stack.name), message, f"{hint}then deploy again")


def _of_groups(existing: Existing, destination: Destination) -> Iterator[Finding]:
    for found in existing.node_groups:
        group = found.group
        finding_id = "W9505" if group.status == ACTIVE else "E9523"
        reasons = [f": {issue}" for issue in group.issues] or ([""] if group.status != ACTIVE else [])
        for reason in reasons:
            hint = (
                "correct what it names (count, zone, reservation, quota) and deploy again; EKS goes on trying, and "
                f"`{_describing(existing, destination, 'nodegroup', nodegroup_name=group.name)}` tells how it went"
            )
            yield Finding(finding_id, Location(group.name), f"the node group is {group.status}{reason}", hint)


def _of_sizes(existing: Existing, destination: Destination, wanted: Mapping[str, int]) -> Iterator[Finding]:
    """CloudFormation sends a size that has changed in the template; what EKS or a person has set since stays."""
    (cluster,) = existing.clusters or (None,)
    for found in existing.node_groups:
        group, asked = found.group, wanted.get(found.group.name)
        if cluster is None or group.status != ACTIVE or asked is None or asked == group.desired:
            continue
        because = ": EKS scales a group to 0 before its capacity block ends" if group.capacity_type == BLOCK else ""
        size = f"minSize={min(group.min, asked)},maxSize={group.max},desiredSize={asked}"
        command = destination.aws_command(
            "eks update-nodegroup-config",
            cluster_name=cluster.name,
            nodegroup_name=group.name,
            scaling_config=size,
        )
        yield Finding(
            "E9532",
            Location(group.name),
            f"the node group runs with desired {group.desired}, and the file says {asked}{because}",
            f"`{command}` starts what the file says; or set count.desired to {group.desired} and deploy again",
        )


def _of_addons(existing: Existing, destination: Destination) -> Iterator[Finding]:
    for addon in existing.addons:
        if addon.status != ACTIVE:
            told = _describing(existing, destination, "addon", addon_name=addon.name)
            hint = f"`{told}` says what it lacks: mostly a node that its pods may run on"
            yield Finding("W9505", Location(addon.name), f"the managed add-on is {addon.status}", hint)


def _describing(existing: Existing, destination: Destination, what: str, **name: str) -> str:
    """The command that tells of a part of the cluster, of which an environment has one."""
    (cluster,) = existing.clusters
    return destination.aws_command(f"eks describe-{what}", cluster_name=cluster.name, **name)
