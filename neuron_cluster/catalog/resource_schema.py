"""CloudFormation's schema of a resource type: create-only properties, identifiers, tags."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow

PropertyPath = tuple[str, ...]
"""Names of properties from the resource's ``Properties`` down; ``*`` stands for every item of a list."""


class ResourceSchema(SourcedRow, frozen=True, kw_only=True):
    """One resource type; its name is the type's, ``AWS::EC2::Subnet``. Paths are written ``Parent/Child/*/Leaf``."""

    create_only: tuple[str, ...]
    """Changing one of these replaces the resource."""
    read_only: tuple[str, ...]
    primary_identifier: tuple[str, ...]
    """The primary identifier: set by the author for some types, by the service for others."""
    tags_follow_stack: bool
    """Whether CloudFormation updates an existing resource of this type when the stack's tags change."""

    @property
    def given_identifier(self) -> tuple[PropertyPath, ...]:
        """The properties that identify a resource where the template gives them; none where the service does."""
        if set(self.primary_identifier) & set(self.read_only):
            return ()
        return tuple(tuple(path.split("/")) for path in self.primary_identifier)


class BeyondSchema(SourcedRow, frozen=True, kw_only=True):
    """Create-only properties that the published schema of the type does not list."""

    create_only: tuple[str, ...]
