"""Making, changing and removing one resource of a stack, with the events that tell of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.template import ResourceDefinition
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.provider import Resource, ResourceContext, ResourceProvider
from local_aws.engine.resource_policies import SIZES
from local_aws.engine.stack import Stack
from local_aws.engine.stack_resource import PendingRemoval, StackResource
from local_aws.engine.status_reasons import ResourceFailedError, provided

Roll = Callable[[Callable[[int], Iterator[int]]], None]
"""Is given what replaces the instances of a group, at most so many at a time."""
INITIATED = "Resource creation Initiated"
"""CloudFormation says it of every resource; here of those that then wait for signals."""


class Removal(Struct, frozen=True):
    """How a removal of several resources went."""

    failed: tuple[str, ...]
    """Logical ids of those that could not be removed."""
    left: tuple[PendingRemoval, ...]
    """Failed removals, and those that were not tried because failed ones depend on them."""

    @property
    def reason(self) -> str:
        return f"The following resource(s) failed to delete: [{', '.join(self.failed)}]. "


class Target(Struct, frozen=True):
    """The requested state of a resource."""

    definition: ResourceDefinition
    properties: Mapping[str, Any]
    """Resolved."""
    dependencies: tuple[str, ...]

    @property
    def type(self) -> str:
        return self.definition.type

    def resource(self, resource: Resource, status: str) -> StackResource:
        """The resource in the stack."""
        return StackResource(
            logical_id=self.definition.logical_id,
            type=self.type,
            resource=resource,
            properties=self.properties,
            dependencies=self.dependencies,
            deletion_policy=self.definition.deletion_policy,
            update_replace_policy=self.definition.update_replace_policy,
            metadata=self.definition.metadata,
            status=status,
            reason=resource.note or None,
            changed_at=datetime.now(UTC),
        )


class ResourceExecutor:
    """The work on one stack; ``tags`` are those that the stack is to have."""

    def __init__(self, engine_context: EngineContext, stack: Stack, tags: Mapping[str, str]) -> None:
        self._engine_context = engine_context
        self._stack = stack
        self._tags = tags

    def create(self, target: Target, verb: str, *, waits: bool = False) -> StackResource:
        """Makes the resource. ``verb`` is UPDATE when it is the replacement of another one.

        With ``waits`` it stays in progress. Raises ResourceFailedError, after the event that says so.
        """
        with self._begun(target.definition, "", verb):
            provider, context = self._provided_by(target.definition.logical_id, target.type)
            resource = provided(target.type, provider.create, context, target.properties)
        status, note = (f"{verb}_IN_PROGRESS", INITIATED) if waits else (f"{verb}_COMPLETE", resource.note or None)
        self._say(target.definition, resource.physical_id, status, note)
        return target.resource(resource, status)

    def adopt(self, target: Target, physical_id: str) -> StackResource:
        """Takes an existing resource into the stack. Raises ResourceFailedError, after the event that says so."""
        # Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-manually.html
        with self._begun(target.definition, physical_id, "IMPORT", "Resource import started."):
            provider, context = self._provided_by(target.definition.logical_id, target.type)
            resource = provided(target.type, provider.adopt, context, physical_id)
            self._require_not_held(target.type, resource.physical_id)
        self._say(target.definition, resource.physical_id, "IMPORT_COMPLETE", "Resource import completed.")
        return target.resource(resource, "IMPORT_COMPLETE")

    def _require_not_held(self, type_name: str, physical_id: str) -> None:
        holder = self._engine_context.table.holder(self._stack, type_name, physical_id)
        if holder is not None:
            # Source: inferred: the words.
            raise ResourceFailedError(f"{physical_id} already exists in stack {holder.stack_id}")

    def settle(self, resource: StackResource, status: str, reason: str | None = None) -> StackResource:
        """The end of a resource that was in progress."""
        self._stack.record_event(resource.logical_id, resource.type, resource.physical_id, status, reason)
        return replace(resource, status=status, reason=reason, changed_at=datetime.now(UTC))

    def update(
        self, current: StackResource, target: Target, *, ignores_sizes: bool = False, roll: Roll | None = None
    ) -> StackResource:
        """Changes the resource in place; ``roll`` then replaces the instances of a group.

        With ``ignores_sizes`` a group keeps the sizes that the template does not change. Raises ResourceFailedError,
        after the event that says so.
        """
        with self._begun(target.definition, current.physical_id, "UPDATE"):
            provider, context = self._provided_by(target.definition.logical_id, target.type)
            actual = provided(target.type, provider.read, context, current.resource) if ignores_sizes else {}
            sizes = {
                name: actual[name]
                for name in SIZES & actual.keys()
                if is_same(name, current.properties, target.properties)
            }
            arguments = (context, current.resource, current.properties, {**target.properties, **sizes})
            resource = provided(target.type, provider.update, *arguments)
            if roll is not None:
                roll(lambda most: provider.replace_instances(context, resource, most))
        self._say(target.definition, resource.physical_id, "UPDATE_COMPLETE", resource.note or None)
        return target.resource(resource, "UPDATE_COMPLETE")

    def skip(self, current: StackResource, target: Target) -> StackResource:
        """Leaves the resource as the service has it, and takes it for changed: then it differs from its template.

        Source: API_ContinueUpdateRollback, ResourcesToSkip ("sets the status … to UPDATE_COMPLETE").
        """
        self._say(target.definition, current.physical_id, "UPDATE_COMPLETE")
        return target.resource(current.resource, "UPDATE_COMPLETE")

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
            elif (reason := self.remove(resource)) is not None:
                failed.append(removal)
                resource = replace(resource, status="DELETE_FAILED", reason=reason)
                left.append(replace(removal, resource=resource))
            else:
                continue
            blocked.update(resource.dependencies)
        return Removal(tuple(dict.fromkeys(each.resource.logical_id for each in failed)), tuple(reversed(left)))

    def remove(self, found: StackResource) -> str | None:
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

    @contextlib.contextmanager
    def _begun(
        self, definition: ResourceDefinition, physical_id: str, verb: str, reason: str | None = None
    ) -> Iterator[None]:
        """Records that the work on a resource begins, and that it failed where the block raises ResourceFailedError."""
        self._engine_context.raise_if_stopping()
        self._say(definition, physical_id, f"{verb}_IN_PROGRESS", reason)
        try:
            yield
        except ResourceFailedError as failure:
            self._say(definition, physical_id, f"{verb}_FAILED", str(failure))
            raise

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


def is_same(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether both have the property, with one value."""
    return name in new and old.get(name) == new[name]
