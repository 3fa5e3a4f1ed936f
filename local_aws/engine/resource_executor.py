"""Making, changing and removing one resource of a stack, with the events that tell of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.template import ResourceDefinition
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.provider import Resource, ResourceContext, ResourceProvider
from local_aws.engine.stack import Stack
from local_aws.engine.stack_resource import PendingRemoval, StackResource
from local_aws.engine.status_reasons import ResourceFailedError, provided


class Removal(Struct, frozen=True):
    """How a removal of several resources went."""

    failed: tuple[str, ...]
    """Logical ids of those that could not be removed."""
    left: tuple[PendingRemoval, ...]
    """Those, and what was not tried because they depend on it."""

    @property
    def reason(self) -> str:
        return f"The following resource(s) failed to delete: [{', '.join(self.failed)}]. "


class ResourceExecutor:
    """The work on one stack; ``tags`` are those that the stack is to have."""

    def __init__(self, engine_context: EngineContext, stack: Stack, tags: Mapping[str, str]) -> None:
        self._engine_context = engine_context
        self._stack = stack
        self._tags = tags

    def create(
        self, definition: ResourceDefinition, properties: Mapping[str, Any], dependencies: tuple[str, ...], verb: str
    ) -> StackResource:
        """Makes the resource. ``verb`` is UPDATE when it is the replacement of another one.

        Raises ResourceFailedError, after the event that says so.
        """
        self._engine_context.raise_if_stopping()
        self._say(definition, "", f"{verb}_IN_PROGRESS")
        try:
            provider, context = self._provided_by(definition.logical_id, definition.type)
            resource = provided(definition.type, provider.create, context, properties)
        except ResourceFailedError as failure:
            self._say(definition, "", f"{verb}_FAILED", str(failure))
            raise
        self._say(definition, resource.physical_id, f"{verb}_COMPLETE", resource.note or None)
        return _stack_resource(definition, resource, properties, dependencies, f"{verb}_COMPLETE")

    def update(
        self,
        current: StackResource,
        definition: ResourceDefinition,
        properties: Mapping[str, Any],
        dependencies: tuple[str, ...],
    ) -> StackResource:
        """Changes the resource in place. Raises ResourceFailedError, after the event that says so."""
        self._engine_context.raise_if_stopping()
        self._say(definition, current.physical_id, "UPDATE_IN_PROGRESS")
        try:
            provider, context = self._provided_by(definition.logical_id, definition.type)
            arguments = (context, current.resource, current.properties, properties)
            resource = provided(definition.type, provider.update, *arguments)
        except ResourceFailedError as failure:
            self._say(definition, current.physical_id, "UPDATE_FAILED", str(failure))
            raise
        self._say(definition, resource.physical_id, "UPDATE_COMPLETE", resource.note or None)
        return _stack_resource(definition, resource, properties, dependencies, "UPDATE_COMPLETE")

    def skip(
        self,
        current: StackResource,
        definition: ResourceDefinition,
        properties: Mapping[str, Any],
        dependencies: tuple[str, ...],
    ) -> StackResource:
        """Leaves the resource as the service has it, and takes it for changed: then it differs from its template.

        Source: API_ContinueUpdateRollback, ResourcesToSkip ("sets the status … to UPDATE_COMPLETE").
        """
        self._say(definition, current.physical_id, "UPDATE_COMPLETE")
        return _stack_resource(definition, current.resource, properties, dependencies, "UPDATE_COMPLETE")

    def replaced_in_place(self, type_name: str) -> frozenset[str]:
        """``ResourceProvider.replaced_in_place`` of the type."""
        provider = self._engine_context.provider(type_name)
        return provider.replaced_in_place if provider is not None else frozenset()

    def fail(self, definition: ResourceDefinition, physical_id: str, verb: str, reason: str) -> None:
        """Says that a resource could not even be begun."""
        self._say(definition, physical_id, f"{verb}_FAILED", reason)

    def remove_all(
        self, removals: Sequence[PendingRemoval], is_retained: Callable[[PendingRemoval], bool], *, try_all: bool
    ) -> Removal:
        """Removes resources, each before those it depends on.

        What a resource depends on that could not be removed is removed with ``try_all`` only.
        """
        failed: list[PendingRemoval] = []
        blocked: set[str] = set()
        left: list[PendingRemoval] = []
        for removal in _removal_order(removals):
            resource = removal.resource
            if resource.logical_id in blocked and not try_all:
                left.append(removal)
            elif is_retained(removal):
                self._stack.record_event(resource.logical_id, resource.type, resource.physical_id, "DELETE_SKIPPED")
                continue
            elif (reason := self._remove(resource)) is not None:
                failed.append(removal)
                resource = replace(resource, status="DELETE_FAILED", reason=reason)
                left.append(replace(removal, resource=resource))
            else:
                continue
            blocked.update(resource.dependencies)
        return Removal(tuple(dict.fromkeys(each.resource.logical_id for each in failed)), tuple(reversed(left)))

    def _remove(self, found: StackResource) -> str | None:
        """Why the resource could not be removed; None when it is gone."""
        self._engine_context.raise_if_stopping()
        self._stack.record_event(found.logical_id, found.type, found.physical_id, "DELETE_IN_PROGRESS")
        try:
            provider, context = self._provided_by(found.logical_id, found.type)
            provided(found.type, provider.delete, context, found.resource, found.properties)
        except ResourceFailedError as failure:
            self._stack.record_event(found.logical_id, found.type, found.physical_id, "DELETE_FAILED", str(failure))
            return str(failure)
        self._stack.record_event(found.logical_id, found.type, found.physical_id, "DELETE_COMPLETE")
        return None

    def _provided_by(self, logical_id: str, type_name: str) -> tuple[ResourceProvider, ResourceContext]:
        provider = self._engine_context.provider(type_name)
        if provider is None:  # checked when the template came in
            raise ResourceFailedError(f"Unrecognized resource type {type_name}")
        context = self._stack.context(logical_id, type_name, self._tags, self._engine_context.endpoint)
        return provider, context

    def _say(self, definition: ResourceDefinition, physical_id: str, status: str, reason: str | None = None) -> None:
        self._stack.record_event(definition.logical_id, definition.type, physical_id, status, reason)


def _removal_order(removals: Sequence[PendingRemoval]) -> list[PendingRemoval]:
    """Each before those it depends on.

    They may be of several templates: a dependency is on every resource of that logical id, and one that would close
    a circle is left out: graphlib would raise ``CycleError``.
    """
    by_name: dict[str, list[PendingRemoval]] = {}
    for removal in removals:
        by_name.setdefault(removal.resource.logical_id, []).append(removal)
    order: list[PendingRemoval] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        if name in seen or name not in by_name:
            return
        seen.add(name)
        for removal in by_name[name]:
            for dependency in removal.resource.dependencies:
                visit(dependency)
        order.extend(by_name[name])

    for name in by_name:
        visit(name)
    return order[::-1]


def _stack_resource(
    definition: ResourceDefinition,
    resource: Resource,
    properties: Mapping[str, Any],
    dependencies: tuple[str, ...],
    status: str,
) -> StackResource:
    return StackResource(
        logical_id=definition.logical_id,
        type=definition.type,
        resource=resource,
        properties=properties,
        dependencies=dependencies,
        deletion_policy=definition.deletion_policy,
        update_replace_policy=definition.update_replace_policy,
        metadata=definition.metadata,
        status=status,
        reason=resource.note or None,
        changed_at=datetime.now(UTC),
    )
