"""Making, changing and removing one resource of a stack, with the events that tell of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.dependencies import creation_order
from local_aws.cloudformation.template import ResourceDefinition
from neuron_cluster.local_aws.engine.machinery import Machinery
from neuron_cluster.local_aws.engine.provider import Resource, ResourceContext, ResourceProvider
from neuron_cluster.local_aws.engine.reasons import ResourceFailedError, provided
from neuron_cluster.local_aws.engine.stack import Stack, StackResource


class Removal(Struct, frozen=True):
    """How a removal of several resources went."""

    failed: tuple[str, ...]
    """Logical ids of those that could not be removed."""
    left: Mapping[str, StackResource]
    """Those, and what they depend on."""

    @property
    def reason(self) -> str:
        return f"The following resource(s) failed to delete: [{', '.join(self.failed)}]. "


class ResourceWork:
    """The work on one stack; ``tags`` are those that the stack is to have."""

    def __init__(self, machinery: Machinery, stack: Stack, tags: Mapping[str, str]) -> None:
        self._machinery = machinery
        self._stack = stack
        self._tags = tags

    def create(
        self, definition: ResourceDefinition, properties: Mapping[str, Any], dependencies: tuple[str, ...], verb: str
    ) -> StackResource:
        """Makes the resource. ``verb`` is UPDATE when it is the replacement of another one.

        Raises ResourceFailedError, after the event that says so.
        """
        self._machinery.go_on()
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
        self._machinery.go_on()
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
        provider = self._machinery.provider(type_name)
        return provider.replaced_in_place if provider is not None else frozenset()

    def fail(self, definition: ResourceDefinition, physical_id: str, verb: str, reason: str) -> None:
        """Says that a resource could not even be begun."""
        self._say(definition, physical_id, f"{verb}_FAILED", reason)

    def remove_all(self, resources: Mapping[str, StackResource], kept: Collection[str]) -> Removal:
        """Removes resources, each before those it depends on; what stands in ``kept`` is left alone.

        What a resource that could not be removed depends on is not tried.
        """
        failed: dict[str, StackResource] = {}
        blocked: dict[str, None] = {}
        order = creation_order({name: resource.dependencies for name, resource in resources.items()})
        for name in reversed(order):
            resource = resources[name]
            if name in blocked:
                blocked.update(dict.fromkeys(resource.dependencies))
            elif name in kept:
                self._stack.say(name, resource.type, resource.physical_id, "DELETE_SKIPPED")
            elif (reason := self._remove(resource)) is not None:
                failed[name] = replace(resource, status="DELETE_FAILED", reason=reason)
                blocked.update(dict.fromkeys(resource.dependencies))
        left = {name: failed.get(name, resource) for name, resource in resources.items()}
        return Removal(tuple(failed), {name: left[name] for name in left if name in {*failed, *blocked}})

    def _remove(self, found: StackResource) -> str | None:
        """Why the resource could not be removed; None when it is gone."""
        self._machinery.go_on()
        self._stack.say(found.logical_id, found.type, found.physical_id, "DELETE_IN_PROGRESS")
        try:
            provider, context = self._provided_by(found.logical_id, found.type)
            provided(found.type, provider.delete, context, found.resource, found.properties)
        except ResourceFailedError as failure:
            self._stack.say(found.logical_id, found.type, found.physical_id, "DELETE_FAILED", str(failure))
            return str(failure)
        self._stack.say(found.logical_id, found.type, found.physical_id, "DELETE_COMPLETE")
        return None

    def _provided_by(self, logical_id: str, type_name: str) -> tuple[ResourceProvider, ResourceContext]:
        provider = self._machinery.provider(type_name)
        if provider is None:  # checked when the template came in
            raise ResourceFailedError(f"Unrecognized resource type {type_name}")
        context = self._stack.context(logical_id, type_name, self._tags, self._machinery.endpoint)
        return provider, context

    def _say(self, definition: ResourceDefinition, physical_id: str, status: str, reason: str | None = None) -> None:
        self._stack.say(definition.logical_id, definition.type, physical_id, status, reason)


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
