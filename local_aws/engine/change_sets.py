"""The change sets of all stacks."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.cloudformation.errors import TemplateError
from local_aws.contract import ServiceError
from local_aws.engine.change_set import NO_CHANGES, ChangeSet, Preview, ResourceChange
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.imports import existing_resources, requested_imports, unretained
from local_aws.engine.request import requested_revision, require_updatable
from local_aws.engine.stack import Revision, Stack


class ChangeSets:
    """Found by id, or by name within a stack. Every method raises ServiceError in CloudFormation's words."""

    def __init__(self, engine_context: EngineContext) -> None:
        self._engine_context = engine_context
        self._table = engine_context.table
        self._by_id: dict[str, ChangeSet] = {}

    def create(self, account: str, region: str, given: Mapping[str, Any]) -> ChangeSet:
        """A change set that is ready, or failed because there is nothing to change or it cannot be done."""
        change_type = given.get("ChangeSetType", "UPDATE")
        with self._table.lock:
            stack = self._table.find(account, region, given["StackName"])
            is_new = stack is None and change_type == "IMPORT"
            if is_new or (change_type == "CREATE" and (stack is None or stack.status != "REVIEW_IN_PROGRESS")):
                revision = self._revision(Stack(account, region, given["StackName"], "", ""), change_type, given)
                stack = self._table.add(account, region, given["StackName"], "REVIEW_IN_PROGRESS")
                stack.set_status("REVIEW_IN_PROGRESS", "User Initiated")
            else:
                stack = self._table.get(account, region, given["StackName"])
                if change_type == "UPDATE":
                    require_updatable(stack)
                revision = self._revision(stack, change_type, given)
            if any(other.name == given["ChangeSetName"] for other in self.of(stack)):
                raise api_error("cloudformation.change_set_exists", ChangeSetName=given["ChangeSetName"])
            change_set = self._planned(stack, revision, change_type, given)
            self._by_id[change_set.change_set_id] = change_set
            return change_set

    def _revision(self, stack: Stack, change_type: str, given: Mapping[str, Any]) -> Revision:
        revision = requested_revision(self._engine_context, stack, given)
        if change_type != "IMPORT":
            return revision
        return replace(revision, imports=requested_imports(self._engine_context, stack, revision, given))

    def contents(self) -> dict[str, ChangeSet]:
        """Every change set by its id, oldest first."""
        with self._table.lock:
            return dict(self._by_id)

    def replace(self, change_sets: Mapping[str, ChangeSet]) -> None:
        """Forgets every change set and has these."""
        with self._table.lock:
            self._by_id = dict(change_sets)

    def _planned(self, stack: Stack, revision: Revision, change_type: str, given: Mapping[str, Any]) -> ChangeSet:
        preview = Preview(self._engine_context, stack, revision)
        reason: str | None = None
        changes: tuple[ResourceChange, ...] = ()
        try:
            changes = preview.changes()
            if given.get("ImportExistingResources") and change_type != "IMPORT":
                existing = existing_resources(self._engine_context, stack, changes)
                reason = unretained(revision.template, existing)
                revision = replace(revision, imports={name: value for name, (_, value) in existing.items()})
                changes = Preview(self._engine_context, stack, revision).changes()
            if not changes and not preview.changes_outputs_or_tags():
                reason = NO_CHANGES
        except (ServiceError, TemplateError) as error:
            reason = error.message
        name = given["ChangeSetName"]
        where = f"arn:{partition_of(stack.region)}:cloudformation:{stack.region}:{stack.account}"
        return ChangeSet(
            change_set_id=f"{where}:changeSet/{name}/{uuid.uuid4()}",
            name=name,
            type=change_type,
            stack=stack,
            revision=revision,
            description=given.get("Description"),
            changes=changes,
            status="FAILED" if reason else "CREATE_COMPLETE",
            reason=reason,
            execution_status="UNAVAILABLE" if reason else "AVAILABLE",
            given=given,
        )

    def of(self, stack: Stack) -> list[ChangeSet]:
        """A stack's change sets."""
        return [change_set for change_set in list(self._by_id.values()) if change_set.stack is stack]

    def find(self, account: str, region: str, name_or_id: str, stack_name: str | None) -> ChangeSet:
        """Raises ServiceError ``ChangeSetNotFound``."""
        found = self._by_id.get(name_or_id)
        if found is None and stack_name is not None:
            stack = self._table.get(account, region, stack_name)
            found = next((each for each in self.of(stack) if each.name == name_or_id), None)
        if found is None or (found.stack.account, found.stack.region) != (account, region):
            raise api_error("cloudformation.no_change_set", change_set=name_or_id)
        return found

    def take(self, change_set: ChangeSet) -> None:
        """Takes one to be executed; with it go all change sets of its stack."""
        if change_set.execution_status != "AVAILABLE":
            raise api_error(
                "cloudformation.change_set_status", change_set=change_set.change_set_id, status=change_set.status
            )
        if change_set.type == "UPDATE":
            require_updatable(change_set.stack)
        if change_set.type == "IMPORT":  # the stack may have changed since
            requested_imports(self._engine_context, change_set.stack, change_set.revision, change_set.given)
        change_set.execution_status = "EXECUTE_IN_PROGRESS"
        self.forget(change_set.stack)

    def forget(self, stack: Stack) -> None:
        """Removes all change sets of a stack."""
        for change_set in self.of(stack):
            self.delete(change_set)

    def delete(self, change_set: ChangeSet) -> None:
        """One that is gone already is no error."""
        self._by_id.pop(change_set.change_set_id, None)
