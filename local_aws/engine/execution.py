"""Whole operations on a stack, from their first status to the last. Each runs in a thread of its own."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from local_aws.engine.deployment import Deployment
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.resource_executor import Removal, ResourceExecutor
from local_aws.engine.stack import Revision, Stack
from local_aws.engine.stack_resource import PendingRemoval, RemovalCause
from local_aws.engine.status_reasons import DeploymentFailedError

RETAINS = frozenset({"Retain", "RetainExceptOnCreate"})
ROLLBACK_RETAINS = frozenset({"Retain"})
"""Deletion policies that retain a resource: for good, and when the operation that created it is rolled back."""


class OnFailure(enum.Enum):
    """The end of a stack whose deployment fails."""

    ROLL_BACK = "ROLLBACK"
    STOP = "DO_NOTHING"
    DELETE = "DELETE"


def create(
    engine_context: EngineContext,
    stack: Stack,
    revision: Revision,
    on_failure: OnFailure,
    *,
    retain_except_on_create: bool,
    deadline: datetime | None = None,
) -> None:
    """From CREATE_IN_PROGRESS on."""
    deployment = Deployment(engine_context, stack, revision, deadline=deadline)
    try:
        deployment.apply()
        deployment.publish()
    except DeploymentFailedError as failure:
        stack.revision, stack.pending_revision = revision, None
        if on_failure is OnFailure.STOP:
            stack.set_status("CREATE_FAILED", str(failure))
            return
        stack.release_imported()
        if on_failure is OnFailure.DELETE:
            # Source: inferred: the words.
            stack.set_status("DELETE_IN_PROGRESS", f"{failure} Delete requested by user.")
            delete(engine_context, stack, (), () if retain_except_on_create else ROLLBACK_RETAINS)
        else:
            stack.set_status("ROLLBACK_IN_PROGRESS", f"{failure} Rollback requested by user.")
            rollback_create(engine_context, stack, retain_except_on_create=retain_except_on_create)
        return
    stack.revision, stack.pending_revision, stack.imported = revision, None, ()
    stack.set_status("CREATE_COMPLETE")


def rollback_create(engine_context: EngineContext, stack: Stack, *, retain_except_on_create: bool = False) -> None:
    """From ROLLBACK_IN_PROGRESS on: removes what was created."""
    stack.release_imported()
    removal = _remove_stack(engine_context, stack, () if retain_except_on_create else ROLLBACK_RETAINS)
    stack.outputs, stack.imports = (), frozenset()
    if removal.failed:
        stack.set_status("ROLLBACK_FAILED", removal.reason)
    else:
        stack.set_status("ROLLBACK_COMPLETE")


def update(
    engine_context: EngineContext,
    stack: Stack,
    revision: Revision,
    on_failure: OnFailure,
    *,
    retain_except_on_create: bool,
) -> None:
    """From UPDATE_IN_PROGRESS on."""
    stack.rollback_revision = stack.rollback_revision or stack.revision
    deployment = Deployment(engine_context, stack, revision, may_replace=on_failure is not OnFailure.STOP)
    try:
        deployment.apply()
        with engine_context.table.lock:  # a cancellation comes before it, or too late
            deployment.publish()
            stack.revision, stack.pending_revision, stack.rollback_revision = revision, None, None
            stack.imported = ()
            stack.set_status("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    except DeploymentFailedError as failure:
        stack.revision, stack.pending_revision = revision, None
        with engine_context.table.lock:
            stops = on_failure is OnFailure.STOP and not stack.is_cancelled
            stack.is_cancelled = False
            stack.set_status("UPDATE_FAILED" if stops else "UPDATE_ROLLBACK_IN_PROGRESS", str(failure))
        if not stops:
            rollback_update(engine_context, stack, retain_except_on_create=retain_except_on_create)
        return
    _clean_up(engine_context, stack, RETAINS)
    stack.set_status("UPDATE_COMPLETE")


def rollback_update(
    engine_context: EngineContext, stack: Stack, *, retain_except_on_create: bool = False, skipped: Collection[str] = ()
) -> None:
    """From UPDATE_ROLLBACK_IN_PROGRESS on: back to ``rollback_revision``; then what was new is removed.

    ``skipped`` are left as they are.
    """
    target = stack.rollback_revision
    if target is None:
        raise RuntimeError(f"stack {stack.name} has nothing to roll back to")
    stack.release_imported()
    stack.restore_replaced()
    try:
        deployment = Deployment(engine_context, stack, target, skipped=skipped)
        deployment.apply()
        deployment.publish()
    except DeploymentFailedError as failure:
        stack.set_status("UPDATE_ROLLBACK_FAILED", str(failure))
        return
    stack.revision, stack.rollback_revision = target, None
    stack.set_status("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
    _clean_up(engine_context, stack, () if retain_except_on_create else ROLLBACK_RETAINS)
    stack.set_status("UPDATE_ROLLBACK_COMPLETE")


def import_resources(engine_context: EngineContext, stack: Stack, revision: Revision) -> None:
    """From IMPORT_IN_PROGRESS on. Nothing else changes: the way back lets go what came in."""
    deployment = Deployment(engine_context, stack, revision)
    try:
        deployment.apply()
        deployment.publish()
    except DeploymentFailedError as failure:
        stack.pending_revision = None
        stack.set_status("IMPORT_ROLLBACK_IN_PROGRESS", str(failure))
        stack.release_imported()
        # Source: inferred: that a new stack may be tried again.
        stack.set_status("REVIEW_IN_PROGRESS" if stack.revision is None else "IMPORT_ROLLBACK_COMPLETE")
        return
    stack.revision, stack.pending_revision, stack.imported = revision, None, ()
    stack.set_status("IMPORT_COMPLETE")


def delete(
    engine_context: EngineContext,
    stack: Stack,
    retained: Collection[str],
    policies: Collection[str] = RETAINS,
    *,
    forced: bool = False,
) -> None:
    """From DELETE_IN_PROGRESS on. ``retained`` are logical ids of resources that the request retains.

    With ``forced`` the stack goes, whatever of it cannot be removed.
    """
    removal = _remove_stack(engine_context, stack, policies, retained, try_all=forced)
    if removal.failed and not forced:
        stack.set_status("DELETE_FAILED", removal.reason)
        return
    stack.resources, stack.pending_removals = {}, ()
    stack.outputs, stack.imports = (), frozenset()
    stack.deleted_at = datetime.now(UTC)
    stack.set_status("DELETE_COMPLETE")


def _clean_up(engine_context: EngineContext, stack: Stack, policies: Collection[str]) -> None:
    """Removes what an update or its rollback has left; what cannot be removed leaves the stack all the same."""
    executor = ResourceExecutor(engine_context, stack, _tags(stack))
    executor.remove_all(stack.pending_removals, lambda removal: removal.is_retained(policies), try_all=True)
    stack.pending_removals = ()


def _remove_stack(
    engine_context: EngineContext,
    stack: Stack,
    policies: Collection[str],
    retained: Collection[str] = (),
    *,
    try_all: bool = False,
) -> Removal:
    """Removes every resource of the stack, and what it had to remove before; what is left stays in the stack."""

    def is_retained(removal: PendingRemoval) -> bool:
        return removal.is_retained(policies) or removal.resource.logical_id in retained

    own = [PendingRemoval(resource, RemovalCause.DELETED) for resource in stack.resources.values()]
    executor = ResourceExecutor(engine_context, stack, _tags(stack))
    removal = executor.remove_all([*own, *stack.pending_removals], is_retained, try_all=try_all)
    left = [each for each in removal.left if each.cause is RemovalCause.DELETED]
    stack.resources = {each.resource.logical_id: each.resource for each in left}
    stack.pending_removals = tuple(each for each in removal.left if each.cause is not RemovalCause.DELETED)
    return removal


def _tags(stack: Stack) -> Mapping[str, str]:
    return stack.revision.tags if stack.revision else {}
