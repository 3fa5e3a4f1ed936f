"""Bringing a stack to a revision: every resource created, updated or replaced, in order."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NoReturn

from msgspec.structs import replace

from local_aws.clock import CLOCK
from local_aws.cloudformation.dependencies import creation_order, dependencies
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.property_changes import (
    PropertyChange,
    keeps_given_name,
    property_changes,
    requires_replacement,
)
from local_aws.cloudformation.resolver import Resolver
from local_aws.contract import ServiceError
from local_aws.engine.engine_context import EngineContext, is_custom
from local_aws.engine.outputs import publish, resolved_outputs
from local_aws.engine.resource_executor import ResourceExecutor, Target
from local_aws.engine.resource_policies import WAIT_CONDITION
from local_aws.engine.signaled_resources import SignaledResources
from local_aws.engine.stack import Output, Revision, Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.stack_values import StackValues
from local_aws.engine.status_reasons import DeploymentFailedError, ResourceFailedError, internal_failure
from local_aws.knowledge.current import resource_schema


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
        self._values = StackValues(stack, revision, engine_context.table, engine_context.endpoint)
        self._resolver = Resolver(revision.template, self._values)
        self._executor = ResourceExecutor(engine_context, stack, revision.tags)
        self._signaled = SignaledResources(engine_context, stack, self._resolver, self._executor, self._require_time)
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
                found = self._stack.resources.get(logical_id)
                done = "create" if found is None or found.status == "CREATE_FAILED" else "update"
                done = "import" if found is None and logical_id in self._revision.imports else done
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
            target = Target(definition, self._resolver.properties(logical_id), depends_on)
        except Exception as error:  # a mistake of ours fails the resource, so that the stack goes back
            reason = _reason(error)
            self._executor.fail(definition, current.physical_id if current else "", verb, reason)
            raise ResourceFailedError(reason) from error
        if current is None and logical_id in self._revision.imports:
            self._stack.put(self._executor.adopt(target, self._revision.imports[logical_id]))
            self._stack.imported = (*self._stack.imported, logical_id)
        elif current is None or current.status == "CREATE_FAILED":
            self._create(current, target)
        elif logical_id in self._skipped:
            self._stack.put(self._executor.skip(current, target))
        elif self._replaces(current, target):
            self._replace(current, target)
        elif self._changes(current, target):
            self._update(current, target)
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

    def _create(self, failed: StackResource | None, target: Target) -> None:
        """Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/stack-failure-options.html: the next
        operation deletes what failed to be created.
        """
        if failed is not None:
            if (reason := self._executor.remove(failed)) is not None:
                raise ResourceFailedError(reason)
            self._stack.forget([failed.logical_id])
        self._signaled.create(target, "CREATE", self._stack.put)

    def _update(self, current: StackResource, target: Target) -> None:
        if current.type == WAIT_CONDITION:
            # Source: inferred: the words; the type's page has that updates are not supported.
            self._reject(current, target, f"Update to resource type {current.type} is not supported.")
        try:
            updated = self._signaled.update(current, target)
        except ResourceFailedError as failure:
            # The update may be half done: with the new properties kept, the rollback calls the provider too.
            failed = replace(current, properties=target.properties, status="UPDATE_FAILED", reason=str(failure))
            self._stack.put(failed)
            raise
        if updated.physical_id != current.physical_id and is_custom(current.type):
            # It has been replaced: the clean-up deletes the former one.
            self._stack.replace_resource(updated)
        else:
            self._stack.put(updated)

    def _changes(self, current: StackResource, target: Target) -> bool:
        retagged = self._tags_changed and resource_schema(current.type).tags_follow_stack
        return retagged or current.status == "UPDATE_FAILED" or bool(_property_changes(current, target))

    def _replaces(self, current: StackResource, target: Target) -> bool:
        in_place = self._executor.replaced_in_place(current.type)
        replaces = requires_replacement(_property_changes(current, target), in_place)
        return replaces or self._signaled.replaces_group(current, target)

    def _replace(self, current: StackResource, target: Target) -> None:
        if not self._may_replace:
            reason = "Replacement type updates not supported on stack with disable-rollback."
            self._reject(current, target, reason)
        if keeps_given_name(resource_schema(current.type).given_identifier, current.properties, target.properties):
            reason = (
                "CloudFormation cannot update a stack when a custom-named resource requires replacing. "
                f"Rename {current.physical_id} and update the stack again."
            )
            self._reject(current, target, reason)
        self._signaled.create(target, "UPDATE", self._stack.replace_resource)

    def _reject(self, current: StackResource, target: Target, reason: str) -> NoReturn:
        self._executor.fail(target.definition, current.physical_id, "UPDATE", reason)
        raise ResourceFailedError(reason)


def _property_changes(current: StackResource, target: Target) -> list[PropertyChange]:
    return property_changes(resource_schema(current.type).create_only, current.properties, target.properties)


def _reason(error: Exception) -> str:
    return error.message if isinstance(error, ServiceError | TemplateError) else internal_failure(error)
