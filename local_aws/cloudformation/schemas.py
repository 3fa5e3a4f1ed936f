"""What the schemas of resource types say that decides what an update does; the caller has them."""

from __future__ import annotations

from typing import Protocol

PropertyPath = tuple[str, ...]
"""Names of properties from the resource's ``Properties`` down; ``*`` stands for every item of a list."""


class ResourceSchemas(Protocol):
    """By resource type, ``AWS::EC2::Subnet``."""

    def create_only(self, type_name: str) -> frozenset[PropertyPath]:
        """Properties whose change replaces a resource of this type; none for a type without a schema."""

    def primary_identifier(self, type_name: str) -> tuple[str, ...]:
        """The properties or attributes that together identify a resource of this type."""

    def given_identifier(self, type_name: str) -> tuple[PropertyPath, ...]:
        """The properties that identify a resource where the template gives them; none where the service does."""

    def tags_follow_stack(self, type_name: str) -> bool:
        """Whether a change of the stack's tags reaches an existing resource of this type."""
