"""Bringing a stack to a revision: every resource created, updated or replaced, in order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from local_aws.clock import CLOCK
from local_aws.cloudformation.dependencies import creation_order, dependencies
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.property_changes import keeps_given_name, property_changes, requires_replacement
from local_aws.cloudformation.resolver import Resolver
from local_aws.engine.engine_context import EngineContext, is_custom
from local_aws.engine.outputs import publish, resolved_outputs
from local_aws.engine.resource_executor import ResourceExecutor
from local_aws.engine.stack import Output, Revision, Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.stack_values import StackValues
from local_aws.engine.status_reasons import ResourceFailedError, internal_failure
from local_aws.service import ServiceError


class DeploymentFailedError(Exception):
    """The stack could not be brought to the revision; the text is the stack's reason."""


class Deployment:
    """One attempt. It removes nothing: what it replaces or drops is among the stack's pending removals."""

    def __init__(
        self,
        engine_context: EngineContext,
        stack: Stack,
        revision: Revision,
        *,
        may_replace: bool = True,
        skipped: Collection[str] = (),
        deadline: datetime | None = None,
    ) -> None:
        self._stack = stack
        self._skipped = skipped
        self._deadline = deadline
        self._revision = revision
        self._table = engine_context.table
        self._may_replace = may_replace
        self._tags_changed = stack.revision is not None and dict(stack.revision.tags) != dict(revision.tags)
        self._schemas = engine_context.schemas
        self._values = StackValues(stack, revision, engine_context.table, engine_context.endpoint)
        self._resolver = Resolver(revision.template, self._values)
        self._executor = ResourceExecutor(engine_context, stack, revision.tags)
        self._outputs: tuple[Output, ...] = ()

    def apply(self) -> None:
        """Raises DeploymentFailedError at the first resource that fails; what is done until then stands."""
        try:
            order = dependencies(self._revision.template, self._resolver.active())
        except TemplateError as error:
            raise DeploymentFailedError(error.message) from error
        for logical_id in creation_order(order):
            self._require_time()
            try:
                self._apply_resource(logical_id, order[logical_id])
            except ResourceFailedError as failure:
                done = "update" if logical_id in self._stack.resources else "create"
                raise DeploymentFailedError(f"The following resource(s) failed to {done}: [{logical_id}].") from failure
        try:
            self._outputs = resolved_outputs(self._revision.template, self._resolver)
        except Exception as error:
            raise DeploymentFailedError(_reason(error)) from error

    def publish(self) -> None:
        """The end, after ``apply``: outputs, and what the template no longer has. Raises DeploymentFailedError."""
        self._require_time()
        try:
            publish(self._table, self._stack, self._outputs, self._values.imported)
        except (ServiceError, TemplateError) as error:
            raise DeploymentFailedError(error.message) from error
        active = self._resolver.active()
        self._stack.drop([name for name in self._stack.resources if name not in active])

    def _require_time(self) -> None:
        if self._stack.is_cancelled:
            # Source: inferred: the reason.
            raise DeploymentFailedError("User Initiated")
        if self._deadline is not None and CLOCK.now() >= self._deadline:
            # Source: docker-archive/ecs-plugin#177
            raise DeploymentFailedError("Stack creation time exceeded the specified timeout.")

    def _apply_resource(self, logical_id: str, depends_on: tuple[str, ...]) -> None:
        definition = self._revision.template.resources[logical_id]
        current = self._stack.resources.get(logical_id)
        verb = "CREATE" if current is None else "UPDATE"
        try:
            properties = self._resolver.properties(logical_id)
        except Exception as error:  # a mistake of ours fails the resource, so that the stack goes back
            reason = _reason(error)
            self._executor.fail(definition, current.physical_id if current else "", verb, reason)
            raise ResourceFailedError(reason) from error
        if current is not None and logical_id in self._skipped:
            self._stack.put(self._executor.skip(current, definition, properties, depends_on))
        elif current is None:
            self._stack.put(self._executor.create(definition, properties, depends_on, "CREATE"))
        elif self._replaces(current, properties):
            self._replace(current, properties, depends_on)
        elif self._changes(current, properties):
            try:
                self._put_updated(current, self._executor.update(current, definition, properties, depends_on))
            except ResourceFailedError as failure:
                # The update may be half done: with the new properties kept, the rollback calls the provider too.
                self._stack.put(replace(current, properties=properties, status="UPDATE_FAILED", reason=str(failure)))
                raise
        else:
            self._stack.put(
                replace(
                    current,
                    dependencies=depends_on,
                    deletion_policy=definition.deletion_policy,
                    update_replace_policy=definition.update_replace_policy,
                    metadata=definition.metadata,
                )
            )

    def _put_updated(self, current: StackResource, updated: StackResource) -> None:
        """A custom resource that answers with another id has been replaced: the clean-up deletes the former one."""
        if updated.physical_id != current.physical_id and is_custom(current.type):
            self._stack.replace_resource(updated)
        else:
            self._stack.put(updated)

    def _changes(self, current: StackResource, properties: Mapping[str, Any]) -> bool:
        retagged = self._tags_changed and self._schemas.tags_follow_stack(current.type)
        return (
            retagged
            or current.status == "UPDATE_FAILED"
            or bool(property_changes(self._schemas, current.type, current.properties, properties))
        )

    def _replaces(self, current: StackResource, properties: Mapping[str, Any]) -> bool:
        changes = property_changes(self._schemas, current.type, current.properties, properties)
        return requires_replacement(changes, self._executor.replaced_in_place(current.type))

    def _replace(self, current: StackResource, properties: Mapping[str, Any], depends_on: tuple[str, ...]) -> None:
        definition = self._revision.template.resources[current.logical_id]
        reason = ""
        if not self._may_replace:
            reason = "Replacement type updates not supported on stack with disable-rollback."
        elif keeps_given_name(self._schemas, current.type, current.properties, properties):
            reason = (
                "CloudFormation cannot update a stack when a custom-named resource requires replacing. "
                f"Rename {current.physical_id} and update the stack again."
            )
        if reason:
            self._executor.fail(definition, current.physical_id, "UPDATE", reason)
            raise ResourceFailedError(reason)
        self._stack.replace_resource(self._executor.create(definition, properties, depends_on, "UPDATE"))


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, ServiceError | TemplateError) else internal_failure(error)
