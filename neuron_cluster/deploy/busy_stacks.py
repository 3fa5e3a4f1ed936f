"""Stacks that cannot be changed now: CloudFormation is at work on them, or their status allows no update."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator

from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.aws.stack_failures import in_progress
from neuron_cluster.deploy.cdk_cli import AWS_POLL_SECONDS, POLL_SECONDS
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.stack_names import AnyEnvironment, deployed_stacks, stack_states
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
        raise _in_progress_error(plan, busy)


def _in_progress_error(plan: AnyEnvironment, busy: Collection[Stack]) -> InProgressError:
    return InProgressError(
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

    def report(busy: Stack) -> None:
        progress(f"{busy.name} is being deleted already: waiting for that.")

    for _ in _busy_until_idle(plan, destination, lambda each: each.status == BEING_DELETED, report):
        pass


def wait_for_changes(plan: AnyEnvironment, destination: Destination, progress: Callable[[str], None]) -> None:
    """Waits for creations, updates and rollbacks, as a killed ``deploy`` or a lost connection leaves them.

    Raises ``InProgressError`` when a deletion is in progress, which a ``destroy`` has begun.
    """

    def report(busy: Stack) -> None:
        at_work = in_progress(destination.target, busy.id)
        named = ", ".join(f"{logical_id} ({type_name})" for logical_id, type_name in at_work) or "no resource"
        progress(
            f"{busy.name} is {busy.status}, for an earlier command that was interrupted, or for another user. "
            f"Waiting until CloudFormation has ended; in progress: {named}."
        )

    waited = {
        each.name for each in _busy_until_idle(plan, destination, lambda each: each.status != BEING_DELETED, report)
    }
    for name, status in stack_states(destination.target, sorted(waited)):
        progress(f"{name} is {status}; the deploy continues.")


def _busy_until_idle(
    plan: AnyEnvironment,
    destination: Destination,
    is_awaited: Callable[[Stack], bool],
    report: Callable[[Stack], None],
) -> Iterator[Stack]:
    """Yields each stack that is being changed, once and reported, and ends when there is none.

    Raises ``InProgressError`` for a stack that is not awaited.
    """
    reported: set[str] = set()
    while busy := _in_progress(plan, destination):
        if not all(map(is_awaited, busy)):
            raise _in_progress_error(plan, busy)
        for each in busy:
            if each.name not in reported:
                report(each)
                reported.add(each.name)
                yield each
        time.sleep(POLL_SECONDS if destination.is_local else AWS_POLL_SECONDS)


def _shown(stacks: Collection[Stack]) -> str:
    return ", ".join(f"{each.name} is {each.status}" for each in stacks)


def _in_progress(plan: AnyEnvironment, destination: Destination) -> list[Stack]:
    stacks = deployed_stacks(destination.target, plan)
    return [each for each in stacks.values() if each.status.endswith("_IN_PROGRESS") and each.status != ONLY_PLANNED]
