"""Log groups that outlive the stacks, because a service writes into them after its cluster has gone (ADR 15)."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.aws.logs import LogGroup, delete_log_group, log_groups
from neuron_cluster.aws.session import Target
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.left_over_item import LeftOver
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.registry import registered, registered_operations

MIB = 1024**2
LOOKS = 2
"""The service may have created the group again while it was deleted."""


def log_group_names(plan: AnyEnvironment) -> tuple[str, ...]:
    """Returns the log groups of an environment of this name, whether they exist or not."""
    return tuple(name for operations in registered_operations() for name in operations.log_groups(plan.name))


def planned_log_groups(plan: ClusterPlan) -> tuple[str, ...]:
    """Returns the log groups of the plan's providers that `destroy` would keep."""
    planned = {each.path[0] for each in plan.providers}
    operations = (each.operations() for each in registered() if each.section.key in planned)
    return tuple(name for each in operations for name in each.log_groups(plan.name))


def retained_logs(plan: AnyEnvironment, destination: Destination) -> list[LogGroup]:
    """Returns the log groups that exist."""
    return [group for name in log_group_names(plan) for group in log_groups(destination.target, name)]


def delete_retained_logs(plan: AnyEnvironment, target: Target) -> None:
    """Deletes them with their entries."""
    for name in log_group_names(plan):
        for _ in range(LOOKS):
            found = log_groups(target, name)
            if not found:
                break
            for group in found:
                delete_log_group(target, group)


def as_left_over(groups: Sequence[LogGroup], destination: Destination) -> list[LeftOver]:
    """Each with its size, its end, and the commands that delete it."""
    return [LeftOver(_in_words(group), _commands(group, destination)) for group in groups]


def _in_words(group: LogGroup) -> str:
    end = f"entries expire after {group.retention_days} days" if group.retention_days else "entries never expire"
    return f"log group {group.name} ({group.stored_bytes / MIB:,.1f} MiB; {end})"


def _commands(group: LogGroup, destination: Destination) -> str:
    delete = destination.aws_command("logs delete-log-group", log_group_name=group.name)
    if not group.is_protected:
        return delete
    identifier = {"log_group_identifier": group.name}
    allow = destination.aws_command("logs put-log-group-deletion-protection", **identifier)
    return f"{allow} --no-deletion-protection-enabled && {delete}"
