"""Whether what exists is still what the templates ask for."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct, field

from local_aws.engine.engine_context import CUSTOM_PREFIX, EngineContext
from local_aws.engine.provider import is_absence
from local_aws.engine.resource_drift import ResourceDrift
from local_aws.engine.stack import Stack
from local_aws.engine.stack_resource import StackResource
from local_aws.resource_types.attachments import attached_types, without_attachments
from local_aws.resource_types.property_differences import property_differences
from local_aws.resource_types.write_only_properties import readable_part

NOT_CHECKED = (CUSTOM_PREFIX, "AWS::CloudFormation::", "AWS::CDK::")
"""Prefixes of types that no service describes."""


class Detection(Struct, frozen=True):
    """A check of a whole stack. It is done when its id is given."""

    detection_id: str
    stack_id: str
    drifts: Mapping[str, ResourceDrift]
    """Drifts by logical id."""
    failure: str = ""
    """Why not every resource could be checked."""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def drifted(self) -> int:
        return sum(drift.has_drifted for drift in self.drifts.values())

    @property
    def status(self) -> Literal["DRIFTED", "IN_SYNC"]:
        return "DRIFTED" if self.drifted else "IN_SYNC"


def detect_stack_drift(engine_context: EngineContext, stack: Stack, only: Collection[str] = ()) -> Detection:
    """Checks every resource, or those named, in the order of the stack."""
    services = Services(engine_context, stack)
    drifts: dict[str, ResourceDrift] = {}
    failures: list[str] = []
    for name, resource in list(stack.resources.items()):
        if only and name not in only:
            continue
        try:
            drifts[name] = resource_drift(services, resource)
        except (ClientError, BotoCoreError) as error:
            failures.append(f"{name}: {error}")
    reason = f"Failed to detect drift on resources [{', '.join(failures)}]" if failures else ""
    return Detection(str(uuid.uuid4()), stack.stack_id, drifts, reason)


class Services:
    """Properties of a stack's resources as their services return them; each resource is read once."""

    def __init__(self, engine_context: EngineContext, stack: Stack) -> None:
        self._engine_context = engine_context
        self.stack = stack
        self._reported: dict[str, Mapping[str, Any] | None] = {}

    def reported(self, resource: StackResource) -> Mapping[str, Any] | None:
        """The properties of a resource; None when it is gone. Raises ClientError when its service does not answer."""
        name = resource.logical_id
        if name not in self._reported:
            try:
                self._reported[name] = self._read(resource)
            except ClientError as error:
                if not is_absence(error):
                    raise
                self._reported[name] = None
        return self._reported[name]

    def attached_to(self, resource: StackResource) -> list[tuple[str, Mapping[str, Any]]]:
        """Type and properties of the resources that may show in this one."""
        kinds = attached_types(resource.type)
        others = [other for other in list(self.stack.resources.values()) if other.type in kinds]
        return [(other.type, reported) for other in others if (reported := self.reported(other)) is not None]

    def _read(self, resource: StackResource) -> Mapping[str, Any]:
        tags = self.stack.revision.tags if self.stack.revision else {}
        context = self.stack.context(resource.logical_id, resource.type, tags, self._engine_context.endpoint)
        provider = self._engine_context.provider(resource.type)
        if provider is None:
            raise RuntimeError(f"no provider made {resource.logical_id} of type {resource.type}")
        return provider.read(context, resource.resource)


def resource_drift(services: Services, resource: StackResource) -> ResourceDrift:
    """Checks one resource. Raises ClientError when its service does not return it."""
    if resource.type.startswith(NOT_CHECKED):
        return ResourceDrift(resource, "NOT_CHECKED")
    expected = readable_part(resource.type, resource.properties)
    reported = services.reported(resource)
    if reported is None:
        return ResourceDrift(resource, "DELETED", expected)
    own = without_attachments(resource.type, resource.physical_id, reported, services.attached_to(resource))
    actual = _without_stack_tags(services.stack, expected, {name: own[name] for name in expected if name in own})
    differences = tuple(property_differences(expected, actual))
    return ResourceDrift(resource, "MODIFIED" if differences else "IN_SYNC", expected, actual, differences)


def _without_stack_tags(stack: Stack, expected: Mapping[str, Any], actual: dict[str, Any]) -> dict[str, Any]:
    """The stack's own tags are on the resource without standing in its properties."""
    tags = actual.get("Tags")
    if not isinstance(tags, list) or stack.revision is None:
        return actual
    own = {tag["Key"] for tag in expected["Tags"]}
    given = stack.revision.tags
    left = [tag for tag in tags if tag["Key"] in own or given.get(tag["Key"]) != tag["Value"]]
    return {**actual, "Tags": left}
