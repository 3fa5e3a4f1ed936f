"""A stack: what CloudFormation remembers of it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import Struct

from local_aws.cloudformation.template import Template
from local_aws.engine.parameters import Parameter
from local_aws.engine.provider import ResourceContext
from local_aws.engine.resource_drift import ResourceDrift
from local_aws.engine.stack_resource import PendingRemoval, RemovalCause, StackResource

STACK_TYPE = "AWS::CloudFormation::Stack"
EVENTS_KEPT = 5000
"""How many events of a stack are kept at least; AWS keeps them for 90 days."""


class Revision(Struct, frozen=True):
    """The requested state of a stack: the template with its parameters, tags and options."""

    template: Template
    parameters: Mapping[str, Parameter]
    tags: Mapping[str, str]
    capabilities: tuple[str, ...] = ()
    notification_arns: tuple[str, ...] = ()
    role_arn: str | None = None
    rollback_configuration: Mapping[str, Any] = msgspec.field(default_factory=dict)
    imports: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Physical ids of existing resources that become the stack's, by logical id."""


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


class Signal(Struct, frozen=True):
    """A signal that a waiting resource has received."""

    unique_id: str
    status: str
    """SUCCESS or FAILURE, or what else was put to the URL of a handle."""
    reason: str = ""
    data: str = ""


@dataclass
class Stack:
    """Mutable: one operation at a time works on it, and everybody may read it."""

    account: str
    region: str
    name: str
    stack_id: str
    status: str
    revision: Revision | None = None
    """The deployed revision; None until the first change set of a new stack is executed."""
    pending_revision: Revision | None = None
    """The target of the running creation or update; None when none is running."""
    rollback_revision: Revision | None = None
    """The revision to which a failed update is rolled back."""
    reason: str | None = None
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    updated_at: datetime | None = None
    deleted_at: datetime | None = None
    termination_protection: bool = False
    disable_rollback: bool = False
    change_set_id: str | None = None
    resources: Mapping[str, StackResource] = field(default_factory=dict)
    """Resources by logical id. Never changed: each change makes another map, so that a reader has one state of it."""
    pending_removals: tuple[PendingRemoval, ...] = ()
    """In the order in which they were replaced or dropped."""
    imported: tuple[str, ...] = ()
    """Logical ids of existing resources that came in since the last complete operation: a rollback lets them go."""
    signals: Mapping[str, tuple[Signal, ...]] = field(default_factory=dict)
    """Signals by logical id, of resources that wait for some and of wait condition handles. Never changed, as above."""
    outputs: tuple[Output, ...] = ()
    imports: frozenset[str] = frozenset()
    events: list[Event] = field(default_factory=list)
    """Oldest first, the last ones."""
    request_token: str | None = None
    is_cancelled: bool = False
    """Whether the running update is to stop before its next resource."""
    policy: str | None = None
    drifts: Mapping[str, ResourceDrift] = field(default_factory=dict)
    """The result of the last check of each resource, by logical id; empty after every deployment."""
    drift_checked_at: datetime | None = None

    @property
    def visible_revision(self) -> Revision | None:
        """The revision that descriptions of the stack show: during an update the new one."""
        return self.pending_revision or self.revision

    @property
    def drift_status(self) -> str:
        """``DRIFTED`` when a check found one of its resources so."""
        if self.drift_checked_at is None:
            return "NOT_CHECKED"
        return "DRIFTED" if any(drift.has_drifted for drift in self.drifts.values()) else "IN_SYNC"

    @property
    def in_progress(self) -> bool:
        return self.status.endswith("_IN_PROGRESS") and self.status != "REVIEW_IN_PROGRESS"

    def set_status(self, status: str, reason: str | None = None) -> None:
        """Enters a status and says so in the history.

        The event comes first: a reader that sees the final status also finds its event.
        """
        self.record_event(self.name, STACK_TYPE, self.stack_id, status, reason)
        if reason is not None or "ROLLBACK" not in status:  # a rolled back stack goes on telling why
            self.reason = reason
        self.status = status

    def mark_updated(self) -> None:
        """Notes that an update has begun."""
        self.updated_at = datetime.now(UTC)
        self.drifts, self.drift_checked_at = {}, None

    def put(self, resource: StackResource) -> None:
        """Adds a resource, or the new state of one."""
        self.resources = {**self.resources, resource.logical_id: resource}

    def replace_resource(self, new: StackResource) -> None:
        """Puts another physical resource in the place of one, which the next clean-up removes."""
        self._remove_later(self.resources[new.logical_id], RemovalCause.REPLACED)
        self.put(new)

    def drop(self, logical_ids: Collection[str]) -> None:
        """Takes resources out, which the next clean-up removes."""
        for name in logical_ids:
            self._remove_later(self.resources[name], RemovalCause.DROPPED)
        self.forget(logical_ids)

    def forget(self, logical_ids: Collection[str]) -> None:
        """Takes resources out that are gone, or that the next clean-up removes."""
        self.resources = {name: each for name, each in self.resources.items() if name not in logical_ids}

    def release_imported(self) -> None:
        """Takes out what was imported, but is not removed."""
        for name in self.imported:
            if (found := self.resources.get(name)) is not None:
                reason = "Resource was imported and is retained."
                self.record_event(name, found.type, found.physical_id, "DELETE_SKIPPED", reason)
        self.forget(self.imported)
        self.imported = ()

    def restore_replaced(self) -> None:
        """Puts replaced resources back; the next clean-up removes those that replaced them."""
        pending = self.pending_removals
        self.pending_removals = tuple(each for each in pending if each.cause is not RemovalCause.REPLACED)
        for removal in reversed(pending):
            if removal.cause is RemovalCause.REPLACED:
                self._remove_later(self.resources[removal.resource.logical_id], RemovalCause.UNDONE)
                self.put(removal.resource)

    def open_signals(self, logical_id: str) -> None:
        """From now on signals for the resource are accepted; former ones are forgotten."""
        self.signals = {**self.signals, logical_id: ()}

    def add_signal(self, logical_id: str, signal: Signal) -> None:
        """One that has the unique id of a former one is that one once more."""
        received = self.signals.get(logical_id, ())
        if signal.unique_id not in {each.unique_id for each in received}:
            self.signals = {**self.signals, logical_id: (*received, signal)}

    def close_signals(self, logical_id: str) -> None:
        self.signals = {name: received for name, received in self.signals.items() if name != logical_id}

    def _remove_later(self, resource: StackResource, cause: RemovalCause) -> None:
        self.pending_removals = (*self.pending_removals, PendingRemoval(resource, cause))

    def record_event(
        self, logical_id: str, type_name: str, physical_id: str, status: str, reason: str | None = None
    ) -> None:
        """Adds an event."""
        event_id = f"{logical_id}-{status}-{uuid.uuid4()}" if logical_id != self.name else str(uuid.uuid4())
        at = datetime.now(UTC)
        if len(self.events) >= 2 * EVENTS_KEPT:
            self.events = self.events[-EVENTS_KEPT:]
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
