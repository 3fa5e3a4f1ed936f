"""Stacks that cannot be changed now: CloudFormation is at work on them, or their status allows no update."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.deploy.cdk_cli import AWS_POLL_SECONDS, POLL_SECONDS
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.stack_names import AnyEnvironment, deployed_stacks
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.core_stacks import STORAGE

ONLY_PLANNED = "REVIEW_IN_PROGRESS"
"""A stack of which there is nothing but a change set; the CDK command continues from there."""
BEING_DELETED = "DELETE_IN_PROGRESS"
DELETED_FIRST = frozenset({"DELETE_FAILED", "ROLLBACK_FAILED"})
HALTED = frozenset({"CREATE_FAILED", "UPDATE_FAILED"})
"""Left by a change without rollback, which no command of ours makes."""


class InProgressError(ToolkitError):
    """CloudFormation is still changing a stack of the environment."""

    finding_id = "E9531"


class StuckError(ToolkitError):
    """A stack is in a state in which CloudFormation does not update it."""

    finding_id = "E9524"


def require_idle(plan: AnyEnvironment, destination: Destination) -> None:
    """Raises ``InProgressError`` when a stack of the environment is being changed, from wherever."""
    busy = _in_progress(plan, destination)
    if busy:
        raise InProgressError(
            f"CloudFormation still updates {plan.name}, for an earlier command or another user: {_shown(busy)}",
            hint="wait until it has ended, then run the command again; CloudFormation's events show its progress",
        )


def require_updatable(plan: AnyEnvironment, destination: Destination, file: str) -> None:
    """Raises ``StuckError`` for stacks that CloudFormation does not update, with the way on.

    ``file`` is the environment as commands are given it.
    """
    stacks = deployed_stacks(destination.target, plan).values()
    if gone := [each for each in stacks if each.status in DELETED_FIRST]:
        with_data = any(each.name == plan.stack_name(STORAGE.stack_key) for each in gone)
        destroy = f"neuron-cluster destroy{' --local' if destination.is_local else ''} {file}"
        destroy += f" --delete-data {plan.name}" if with_data else ""
        hint = f"`{destroy}` deletes what is left of it; then deploy again"
        raise StuckError(
            f"CloudFormation cannot update stacks whose deletion or rollback failed: {_shown(gone)}", hint=hint
        )
    if halted := [each for each in stacks if each.status in HALTED]:
        commands = [destination.aws_command("cloudformation rollback-stack", stack_name=each.name) for each in halted]
        hint = f"{' and '.join(f'`{command}`' for command in commands)}, wait until it has ended, and deploy again"
        raise StuckError(f"a change without rollback has failed: {_shown(halted)}", hint=hint)


def wait_for_deletions(plan: AnyEnvironment, destination: Destination, progress: Callable[[str], None]) -> None:
    """Waits for stacks that are being deleted, as an ended ``destroy`` leaves them.

    Raises ``InProgressError`` when something else than a deletion is in progress.
    """
    reported: set[str] = set()
    while busy := _in_progress(plan, destination):
        if any(each.status != BEING_DELETED for each in busy):
            require_idle(plan, destination)
        for each in busy:
            if each.name not in reported:
                progress(f"{each.name} is being deleted already: waiting for that.")
                reported.add(each.name)
        time.sleep(POLL_SECONDS if destination.is_local else AWS_POLL_SECONDS)


def _shown(stacks: Collection[Stack]) -> str:
    return ", ".join(f"{each.name} is {each.status}" for each in stacks)


def _in_progress(plan: AnyEnvironment, destination: Destination) -> list[Stack]:
    stacks = deployed_stacks(destination.target, plan)
    return [each for each in stacks.values() if each.status.endswith("_IN_PROGRESS") and each.status != ONLY_PLANNED]
