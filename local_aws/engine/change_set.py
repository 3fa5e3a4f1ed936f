"""A change set: what an update would do, found out before anything is touched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from local_aws.cloudformation.dependencies import creation_order, dependencies
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.property_changes import PropertyChange, property_changes, requires_replacement
from local_aws.cloudformation.resolver import Resolver
from local_aws.cloudformation.template import ResourceDefinition
from local_aws.engine.engine_context import EngineContext
from local_aws.engine.outputs import resolved_outputs
from local_aws.engine.stack import Revision, Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.engine.stack_values import PreviewValues
from local_aws.knowledge.current import resource_schema

NO_CHANGES = "The submitted information didn't contain changes. Submit different information to create a change set."
"""CloudFormation's words; the CDK command looks for them."""


class ResourceChange(Struct, frozen=True):
    """The change of one resource."""

    action: str
    """Add, Import, Modify or Remove."""
    logical_id: str
    type: str
    physical_id: str | None
    properties: tuple[PropertyChange, ...] = ()
    source: Mapping[str, Any] = msgspec.field(default_factory=dict)
    """The new properties as the template writes them: where an unknown value comes from."""
    scope: tuple[str, ...] = ()
    policy_action: str | None = None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None

    @property
    def replacement(self) -> str | None:
        """True, False or Conditional; None for what is not modified."""
        if self.action != "Modify":
            return None
        create_only = [change for change in self.properties if change.create_only]
        if any(change.certain for change in create_only):
            return "True"
        return "Conditional" if create_only else "False"


@dataclass
class ChangeSet:
    """Found by its id, or by its name within its stack."""

    change_set_id: str
    name: str
    type: str
    """CREATE, IMPORT or UPDATE."""
    stack: Stack
    revision: Revision
    description: str | None
    changes: tuple[ResourceChange, ...]
    status: str
    reason: str | None
    execution_status: str
    given: Mapping[str, Any]
    """The request, for what is only handed back."""
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))


class Preview:
    """Walks through an update without making it."""

    def __init__(self, engine_context: EngineContext, stack: Stack, revision: Revision) -> None:
        self._stack = stack
        self._revision = revision
        self._values = PreviewValues(stack, revision, engine_context.table, engine_context.endpoint)
        self._resolver = Resolver(revision.template, self._values)

    def changes(self) -> tuple[ResourceChange, ...]:
        """Raises TemplateError for what cannot be deployed at all."""
        order = dependencies(self._revision.template, self._resolver.active())
        found = [change for logical_id in creation_order(order) if (change := self._change(logical_id)) is not None]
        removed = [resource for name, resource in self._stack.resources.items() if name not in order]
        return (*found, *map(_removal, reversed(removed)))

    def changes_outputs_or_tags(self) -> bool:
        """Whether something else than resources differs; to be asked after ``changes``."""
        deployed = self._stack.revision
        outputs = resolved_outputs(self._revision.template, self._resolver)
        return (
            deployed is None
            or outputs != self._stack.outputs
            or dict(deployed.tags) != dict(self._revision.tags)
            or deployed.notification_arns != self._revision.notification_arns
        )

    def _change(self, logical_id: str) -> ResourceChange | None:
        definition = self._revision.template.resources[logical_id]
        current = self._stack.resources.get(logical_id)
        if current is None or current.status == "CREATE_FAILED":
            self._values.new.add(logical_id)
            after, physical_id = self._resolver.properties(logical_id), self._revision.imports.get(logical_id)
            action = "Add" if physical_id is None else "Import"
            return ResourceChange(action, logical_id, definition.type, physical_id, after=after)
        if current.type != definition.type:
            raise TemplateError("type_changed", resource=logical_id)
        after = self._resolver.properties(logical_id)
        properties = tuple(property_changes(resource_schema(definition.type).create_only, current.properties, after))
        scope = self._scope(current, definition, properties)
        if not scope and current.status != "UPDATE_FAILED":
            return None
        replaced = requires_replacement(properties)
        (self._values.new if replaced else self._values.changing).add(logical_id)
        retained = definition.update_replace_policy == "Retain"
        return ResourceChange(
            "Modify",
            logical_id,
            definition.type,
            current.physical_id,
            properties,
            definition.properties,
            scope,
            ("ReplaceAndRetain" if retained else "ReplaceAndDelete") if replaced else None,
            current.properties,
            after,
        )

    def _scope(
        self, current: StackResource, definition: ResourceDefinition, properties: tuple[PropertyChange, ...]
    ) -> tuple[str, ...]:
        """Which parts of the resource differ, as DescribeChangeSet names them."""
        deployed = self._stack.revision
        retagged = deployed is not None and dict(deployed.tags) != dict(self._revision.tags)
        parts = {
            "Properties": bool(properties),
            "Metadata": dict(current.metadata) != dict(definition.metadata),
            "Tags": retagged and resource_schema(definition.type).tags_follow_stack,
            "DeletionPolicy": current.deletion_policy != definition.deletion_policy,
            "UpdateReplacePolicy": current.update_replace_policy != definition.update_replace_policy,
        }
        return tuple(part for part, differs in parts.items() if differs)


def _removal(resource: StackResource) -> ResourceChange:
    return ResourceChange(
        "Remove",
        resource.logical_id,
        resource.type,
        resource.physical_id,
        policy_action="Delete" if resource.deletion_policy == "Delete" else "Retain",
        before=resource.properties,
    )
