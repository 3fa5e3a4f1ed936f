"""A resource that a stack has, and one that it has to remove."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from local_aws.engine.provider import Resource


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


class RemovalCause(enum.Enum):
    """Why a resource is removed; it decides which policy may retain the resource."""

    DELETED = "with its stack"
    DROPPED = "the template does not have it"
    REPLACED = "another one has its place"
    UNDONE = "it replaced a resource, and that is rolled back"


class PendingRemoval(Struct, frozen=True):
    """A resource that the next clean-up of its stack removes."""

    resource: StackResource
    cause: RemovalCause

    def is_retained(self, policies: Collection[str]) -> bool:
        """``policies`` are the deletion policies that retain a resource in this clean-up."""
        if self.cause is RemovalCause.UNDONE:
            return False
        if self.cause is RemovalCause.REPLACED:
            return self.resource.update_replace_policy == "Retain"
        return self.resource.deletion_policy in policies
