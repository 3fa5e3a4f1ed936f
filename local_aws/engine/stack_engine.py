"""CloudFormation: what callers can have done to stacks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.engine import execution
from local_aws.engine.change_set import ChangeSet, Preview
from local_aws.engine.change_sets import ChangeSets
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.execution import OnFailure
from local_aws.engine.operations_in_progress import OperationsInProgress
from local_aws.engine.outputs import export_in_use
from local_aws.engine.provider import ResourceProvider
from local_aws.engine.request import (
    disables_rollback,
    reject_unsupported_members,
    requested_revision,
    require_updatable,
    wrong_state,
)
from local_aws.engine.stack import Revision, Stack

LINGER_SECONDS = 20.0
"""Less than a client waits for a response: boto3 ends a call after a minute."""


class StackEngine:
    """Answers at once; the work goes on in the background, and the stack's events tell of it.

    ``providers`` by type name. ``given`` is everywhere the API's request. Every method raises ServiceError or
    TemplateError in CloudFormation's words.
    """

    def __init__(
        self,
        providers: Mapping[str, ResourceProvider],
        endpoint: str,
        is_held: Callable[[], bool] = lambda: False,
    ) -> None:
        """``is_held``: whether a test holds a resource, which then ends when the test says so."""
        self._is_held = is_held
        self.engine_context = EngineContext(providers, endpoint)
        self.table = self.engine_context.table
        self.change_sets = ChangeSets(self.engine_context)
        self._in_progress = OperationsInProgress()

    def close(self) -> None:
        """Running operations stop before their next resource; returns when they have."""
        self.engine_context.stopping.set()
        self.wait()

    def forget(self) -> None:
        """Stops operations before their next resource, then forgets every stack, but removes nothing of theirs."""
        self.close()
        self.engine_context.stopping.clear()
        self.table.clear()
        self.change_sets.replace({})

    def wait(self) -> None:
        """Until no operation is running."""
        self._in_progress.wait()

    @property
    def is_idle(self) -> bool:
        """Whether no operation is running."""
        return self._in_progress.is_empty

    @property
    def awaits_signals(self) -> bool:
        """Whether a resource waits for signals."""
        return bool(self.engine_context.waits)

    def linger(self, stack: Stack) -> None:
        """Lets a caller wait a little for the operation it has just started.

        The CDK command looks at once and then every five seconds (its waitFor): without this, every deploy of a
        stack that takes half a second takes five.
        """
        self._in_progress.wait_for(stack, LINGER_SECONDS, lambda: self._is_held() or self.awaits_signals)

    def create_stack(self, account: str, region: str, given: Mapping[str, Any]) -> Stack:
        with self.table.lock:
            revision = requested_revision(
                self.engine_context, Stack(account, region, given["StackName"], "", ""), given
            )
            stack = self.table.add(account, region, given["StackName"], "CREATE_IN_PROGRESS")
            stack.termination_protection = bool(given.get("EnableTerminationProtection"))
            on_failure = OnFailure(given.get("OnFailure", "ROLLBACK"))
            self._deploy(stack, revision, OnFailure.STOP if disables_rollback(given) else on_failure, given)
            return stack

    def update_stack(self, account: str, region: str, given: Mapping[str, Any]) -> Stack:
        with self.table.lock:
            stack = self.table.get(account, region, given["StackName"])
            require_updatable(stack)
            revision = requested_revision(self.engine_context, stack, given)
            preview = Preview(self.engine_context, stack, revision)
            if not preview.changes() and not preview.changes_outputs_or_tags():
                raise api_error("cloudformation.no_updates")
            on_failure = OnFailure.STOP if disables_rollback(given) else OnFailure.ROLL_BACK
            self._deploy(stack, revision, on_failure, given)
            return stack

    def execute_change_set(self, change_set: ChangeSet, given: Mapping[str, Any]) -> None:
        """Starts what the change set describes."""
        with self.table.lock:
            self.change_sets.take(change_set)
            change_set.stack.change_set_id = change_set.change_set_id
            on_failure = OnFailure(change_set.given.get("OnStackFailure", "ROLLBACK"))
            if disables_rollback({**change_set.given, **given}):
                on_failure = OnFailure.STOP
            if change_set.type == "IMPORT":
                self._import(change_set.stack, change_set.revision, given)
            else:
                self._deploy(change_set.stack, change_set.revision, on_failure, given)

    def _import(self, stack: Stack, revision: Revision, given: Mapping[str, Any]) -> None:
        stack.request_token = given.get("ClientRequestToken")
        stack.pending_revision = revision
        stack.mark_updated()
        stack.set_status("IMPORT_IN_PROGRESS", "User Initiated")
        self._in_progress.start(stack, lambda: execution.import_resources(self.engine_context, stack, revision))

    def _deploy(self, stack: Stack, revision: Revision, on_failure: OnFailure, given: Mapping[str, Any]) -> None:
        stack.request_token = given.get("ClientRequestToken")
        stack.disable_rollback = on_failure is OnFailure.STOP
        stack.pending_revision = revision
        retain = bool(given.get("RetainExceptOnCreate"))
        operation: Callable[..., None] = execution.update
        if stack.revision is None:
            minutes = given.get("TimeoutInMinutes")
            deadline = None if minutes is None else CLOCK.now() + timedelta(minutes=minutes)
            operation = functools.partial(execution.create, deadline=deadline)
        else:
            stack.mark_updated()
        stack.set_status("CREATE_IN_PROGRESS" if stack.revision is None else "UPDATE_IN_PROGRESS", "User Initiated")
        self._in_progress.start(
            stack, lambda: operation(self.engine_context, stack, revision, on_failure, retain_except_on_create=retain)
        )

    def cancel_update(self, stack: Stack, given: Mapping[str, Any]) -> None:
        """The running update goes back before its next resource, also where it would stop on a failure."""
        with self.table.lock:
            if stack.status != "UPDATE_IN_PROGRESS":
                raise api_error("cloudformation.no_update_to_cancel")
            stack.is_cancelled = True
            stack.request_token = given.get("ClientRequestToken", stack.request_token)

    def roll_back_stack(self, stack: Stack, given: Mapping[str, Any]) -> None:
        """Starts the way back of a stack whose deployment failed and stopped there."""
        reject_unsupported_members(given)
        retain = bool(given.get("RetainExceptOnCreate"))
        with self.table.lock:
            stack.request_token = given.get("ClientRequestToken")
            if stack.status == "CREATE_FAILED":
                stack.set_status("ROLLBACK_IN_PROGRESS", "User Initiated")
                self._in_progress.start(
                    stack, lambda: execution.rollback_create(self.engine_context, stack, retain_except_on_create=retain)
                )
            elif stack.status in {"UPDATE_FAILED", "UPDATE_ROLLBACK_FAILED"}:
                stack.set_status("UPDATE_ROLLBACK_IN_PROGRESS", "User Initiated")
                skipped = frozenset(given.get("ResourcesToSkip", ()))
                self._in_progress.start(
                    stack,
                    lambda: execution.rollback_update(
                        self.engine_context, stack, retain_except_on_create=retain, skipped=skipped
                    ),
                )
            else:
                raise wrong_state(stack, "be rolled back")

    def delete_stack(self, stack: Stack, given: Mapping[str, Any]) -> None:
        """Starts the deletion, or says in the stack's status why not; a deleted stack stays so."""
        retained: Collection[str] = given.get("RetainResources", ())
        with self.table.lock:
            if stack.status == "DELETE_COMPLETE":
                return
            forced = given.get("DeletionMode") == "FORCE_DELETE_STACK"
            self._require_deletable(stack, retained, forced=forced)
            stack.request_token = given.get("ClientRequestToken")
            in_use = export_in_use(self.table, stack)
            if in_use is not None:
                stack.set_status(stack.status, in_use)
                return
            self.change_sets.forget(stack)
            stack.set_status("DELETE_IN_PROGRESS", "User Initiated")
            self._in_progress.start(
                stack, lambda: execution.delete(self.engine_context, stack, retained, forced=forced)
            )

    def _require_deletable(self, stack: Stack, retained: Collection[str], *, forced: bool) -> None:
        if stack.termination_protection:
            raise api_error("cloudformation.termination_protection", stack=stack.name)
        if stack.in_progress:
            raise wrong_state(stack, "be deleted")
        if forced and stack.status != "DELETE_FAILED":
            raise api_error("cloudformation.force_deletion", stack=stack.stack_id)
        if retained and stack.status != "DELETE_FAILED":
            raise api_error("cloudformation.retained_resources", stack=stack.stack_id)


def stack_engine(call: Call) -> StackEngine:
    """The engine with the stacks of every account and Region, for operations of CloudFormation and Cloud Control."""
    return call.store.shared(StackEngine)
