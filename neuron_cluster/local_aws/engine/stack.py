"""A stack: what CloudFormation remembers of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from local_aws.cloudformation.template import Template
from neuron_cluster.local_aws.engine.parameters import Parameter
from neuron_cluster.local_aws.engine.provider import Resource, ResourceContext

if TYPE_CHECKING:
    from neuron_cluster.local_aws.engine.drift import ResourceDrift

STACK_TYPE = "AWS::CloudFormation::Stack"


class Revision(Struct, frozen=True):
    """What somebody asked a stack to be: the template with everything given beside it."""

    template: Template
    parameters: Mapping[str, Parameter]
    tags: Mapping[str, str]
    capabilities: tuple[str, ...] = ()
    notification_arns: tuple[str, ...] = ()
    role_arn: str | None = None
    rollback_configuration: Mapping[str, Any] = msgspec.field(default_factory=dict)


class StackResource(Struct, frozen=True):
    """A resource that a stack has."""

    logical_id: str
    type: str
    resource: Resource
    properties: Mapping[str, Any]
    """Resolved; what the provider was last given."""
    dependencies: tuple[str, ...]
    deletion_policy: str
    update_replace_policy: str
    metadata: Mapping[str, Any]
    status: str
    reason: str | None
    changed_at: datetime

    @property
    def physical_id(self) -> str:
        return self.resource.physical_id


class Event(Struct, frozen=True):
    """One line of a stack's history."""

    event_id: str
    logical_id: str
    physical_id: str
    type: str
    status: str
    reason: str | None
    at: datetime
    request_token: str | None


class Output(Struct, frozen=True):
    """An entry of ``Outputs``, resolved."""

    key: str
    value: str
    description: str | None
    export_name: str | None


@dataclass
class Stack:
    """Mutable: one operation at a time works on it, and everybody may read it."""

    account: str
    region: str
    name: str
    stack_id: str
    status: str
    revision: Revision | None = None
    """What is deployed; None until the first change set of a new stack is executed."""
    wanted: Revision | None = None
    """What the running creation or update is to bring; None in between."""
    failed_from: Revision | None = None
    """What a failed operation without rollback started from."""
    reason: str | None = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    updated_at: datetime | None = None
    deleted_at: datetime | None = None
    termination_protection: bool = False
    disable_rollback: bool = False
    change_set_id: str | None = None
    resources: dict[str, StackResource] = field(default_factory=dict)
    outputs: tuple[Output, ...] = ()
    imports: frozenset[str] = frozenset()
    events: list[Event] = field(default_factory=list)
    """Oldest first."""
    request_token: str | None = None
    policy: str | None = None
    drifts: Mapping[str, ResourceDrift] = field(default_factory=dict)
    """What the last check of each resource found, by logical id; empty after every deployment."""
    drift_checked_at: datetime | None = None

    @property
    def shown(self) -> Revision | None:
        """What descriptions of the stack tell: while it is being brought about already the new."""
        return self.wanted or self.revision

    @property
    def drift_status(self) -> str:
        """``DRIFTED`` when a check found one of its resources so."""
        if self.drift_checked_at is None:
            return "NOT_CHECKED"
        return "DRIFTED" if any(drift.has_drifted for drift in self.drifts.values()) else "IN_SYNC"

    @property
    def in_progress(self) -> bool:
        return self.status.endswith("_IN_PROGRESS") and self.status != "REVIEW_IN_PROGRESS"

    def turn(self, status: str, reason: str | None = None) -> None:
        """Enters a status and says so in the history.

        The event comes first: a reader that sees the final status also finds its event.
        """
        self.say(self.name, STACK_TYPE, self.stack_id, status, reason)
        if reason is not None or "ROLLBACK" not in status:  # a rolled back stack goes on telling why
            self.reason = reason
        self.status = status

    def touch(self) -> None:
        """Notes that an update has begun."""
        self.updated_at = datetime.now(UTC)
        self.drifts, self.drift_checked_at = {}, None

    def say(self, logical_id: str, type_name: str, physical_id: str, status: str, reason: str | None = None) -> None:
        """Adds an event."""
        event_id = f"{logical_id}-{status}-{uuid.uuid4()}" if logical_id != self.name else str(uuid.uuid4())
        at = datetime.now(UTC)
        self.events.append(Event(event_id, logical_id, physical_id, type_name, status, reason, at, self.request_token))

    def context(self, logical_id: str, type_name: str, tags: Mapping[str, str], endpoint: str) -> ResourceContext:
        """Where a resource of this stack lives."""
        return ResourceContext(
            account=self.account,
            region=self.region,
            stack_name=self.name,
            stack_id=self.stack_id,
            logical_id=logical_id,
            endpoint=endpoint,
            stack_tags=tags,
            resource_type=type_name,
        )
