"""The result of a drift check of one resource."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct, field

from local_aws.engine.stack_resource import StackResource
from local_aws.resource_types.property_differences import PropertyDifference

ResourceStatus = Literal["IN_SYNC", "MODIFIED", "DELETED", "NOT_CHECKED"]


class ResourceDrift(Struct, frozen=True):
    """The result of a drift check of one resource."""

    resource: StackResource
    status: ResourceStatus
    expected: Mapping[str, Any] = field(default_factory=dict)
    """The template's properties, resolved, less those that cannot be read back."""
    actual: Mapping[str, Any] = field(default_factory=dict)
    """The same properties as the service returns them."""
    differences: tuple[PropertyDifference, ...] = ()
    checked_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def has_drifted(self) -> bool:
        return self.status in {"MODIFIED", "DELETED"}
