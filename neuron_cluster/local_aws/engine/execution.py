"""Whole operations on a stack, from their first status to the last. Each runs in a thread of its own."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from neuron_cluster.local_aws.engine.deployment import Deployment, DeploymentFailedError
from neuron_cluster.local_aws.engine.machinery import Machinery
from neuron_cluster.local_aws.engine.resource_work import ResourceWork
from neuron_cluster.local_aws.engine.stack import Revision, Stack, StackResource


class OnFailure(enum.Enum):
    """What becomes of a stack whose deployment fails."""

    ROLL_BACK = "ROLLBACK"
    STOP = "DO_NOTHING"
    DELETE = "DELETE"


def create(
    machinery: Machinery, stack: Stack, revision: Revision, on_failure: OnFailure, *, retain_except_on_create: bool
) -> None:
    """From CREATE_IN_PROGRESS on."""
    deployment = Deployment(machinery, stack, revision)
    try:
        deployment.bring_about()
    except DeploymentFailedError as failure:
        stack.revision, stack.wanted = revision, None
        if on_failure is OnFailure.STOP:
            stack.turn("CREATE_FAILED", str(failure))
            return
        stack.turn("ROLLBACK_IN_PROGRESS", f"{failure} Rollback requested by user.")
        undo_creation(machinery, stack, retain_except_on_create=retain_except_on_create)
        if on_failure is OnFailure.DELETE and stack.status == "ROLLBACK_COMPLETE":
            stack.turn("DELETE_IN_PROGRESS")
            delete(machinery, stack, {})
        return
    stack.revision, stack.wanted = revision, None
    stack.turn("CREATE_COMPLETE")


def undo_creation(machinery: Machinery, stack: Stack, *, retain_except_on_create: bool = False) -> None:
    """From ROLLBACK_IN_PROGRESS on: removes what was made."""
    made = dict(stack.resources)
    kept = {} if retain_except_on_create else _with_policy(made, "Retain")
    tags = stack.revision.tags if stack.revision else {}
    removal = ResourceWork(machinery, stack, tags).remove_all(made, kept)
    stack.resources = dict(removal.left)
    stack.outputs, stack.imports = (), frozenset()
    if removal.failed:
        stack.turn("ROLLBACK_FAILED", removal.reason)
    else:
        stack.turn("ROLLBACK_COMPLETE")


def update(
    machinery: Machinery, stack: Stack, revision: Revision, on_failure: OnFailure, *, retain_except_on_create: bool
) -> None:
    """From UPDATE_IN_PROGRESS on."""
    before, from_revision = dict(stack.resources), stack.failed_from or stack.revision
    deployment = Deployment(machinery, stack, revision, may_replace=on_failure is not OnFailure.STOP)
    try:
        deployment.bring_about()
    except DeploymentFailedError as failure:
        stack.revision, stack.wanted, stack.failed_from = revision, None, from_revision
        if on_failure is OnFailure.STOP:
            stack.turn("UPDATE_FAILED", str(failure))
            return
        stack.turn("UPDATE_ROLLBACK_IN_PROGRESS", str(failure))
        for logical_id in deployment.superseded:  # nothing of these is removed yet
            stack.resources[logical_id] = before[logical_id]
        undo_update(machinery, stack, deployment.replacements, retain_except_on_create=retain_except_on_create)
        return
    stack.revision, stack.wanted, stack.failed_from = revision, None, None
    stack.turn("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    superseded = deployment.superseded
    kept = {
        name
        for name, resource in superseded.items()
        if (resource.update_replace_policy if name in deployment.replacements else resource.deletion_policy)
        in {"Retain", "RetainExceptOnCreate"}
    }
    deployment.work.remove_all(superseded, kept)
    stack.turn("UPDATE_COMPLETE")


def undo_update(
    machinery: Machinery,
    stack: Stack,
    replacements: Mapping[str, StackResource],
    *,
    retain_except_on_create: bool = False,
    skipped: Collection[str] = (),
) -> None:
    """From UPDATE_ROLLBACK_IN_PROGRESS on: back to ``failed_from``; then what was new is removed.

    ``replacements`` stand beside the resources they were to replace, which are in the stack again. ``skipped`` are left
    as they are.
    """
    goal = stack.failed_from
    if goal is None:
        raise RuntimeError(f"stack {stack.name} has nothing to go back to")
    way_back = Deployment(machinery, stack, goal, skipped=skipped)
    try:
        way_back.bring_about()
    except DeploymentFailedError as failure:
        stack.turn("UPDATE_ROLLBACK_FAILED", str(failure))
        return
    stack.revision, stack.failed_from = goal, None
    stack.turn("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
    kept = {} if retain_except_on_create else _with_policy(way_back.superseded, "Retain")
    way_back.work.remove_all({**way_back.superseded, **replacements}, kept)
    stack.turn("UPDATE_ROLLBACK_COMPLETE")


def delete(machinery: Machinery, stack: Stack, retained: Mapping[str, StackResource]) -> None:
    """From DELETE_IN_PROGRESS on. ``retained`` are resources that the caller wants left alone."""
    resources = dict(stack.resources)
    tags = stack.revision.tags if stack.revision else {}
    kept = {**_with_policy(resources, "Retain", "RetainExceptOnCreate"), **retained}
    removal = ResourceWork(machinery, stack, tags).remove_all(resources, kept)
    if removal.failed:
        stack.resources = dict(removal.left)
        stack.turn("DELETE_FAILED", removal.reason)
        return
    stack.resources, stack.outputs, stack.imports = {}, (), frozenset()
    stack.deleted_at = datetime.now(UTC)
    stack.turn("DELETE_COMPLETE")


def _with_policy(resources: Mapping[str, StackResource], *policies: str) -> dict[str, StackResource]:
    return {name: resource for name, resource in resources.items() if resource.deletion_policy in policies}
