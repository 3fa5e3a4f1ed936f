"""Which resources an update of several stacks replaces or updates, references followed from stack to stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.property_changes import PropertyPath, differing_paths, differs, value_at
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address, Reference

CHANGED_BY_EVERY_UPDATE = {"AWS::EC2::LaunchTemplate": frozenset({"LatestVersionNumber", "DefaultVersionNumber"})}
"""Attributes that an update in place changes; all others stay what they are as long as the resource does.

Source: CloudFormation reference, AWS::EC2::LaunchTemplate, return values.
"""


class ResourceState(Struct, frozen=True):
    """A resource of a template, its properties resolved."""

    type_name: str
    properties: Mapping[str, Any]


class ReplacementCause(Struct, frozen=True):
    """Why a resource is replaced."""

    path: PropertyPath
    """The create-only property whose value changes; ``Type`` where the type does."""
    before: Any
    after: Any
    through: Address | None = None
    """The resource whose change reaches this one by an unchanged reference."""


class Replacements:
    """The resources that are in the templates before and after an update."""

    def __init__(
        self,
        before: Mapping[Address, ResourceState],
        after: Mapping[Address, ResourceState],
        create_only: Callable[[str], Iterable[PropertyPath]],
    ) -> None:
        """``create_only`` returns, of a resource type, the properties whose change replaces a resource."""
        self._before = before
        self._after = after
        self._create_only = create_only
        self._references = {address: list(references(state.properties)) for address, state in after.items()}
        self.replaced = {address: cause for address in after if (cause := self._difference(address)) is not None}
        """Causes by address. Resources that are replaced by their own edit come first."""
        self.updated = {
            address
            for address in after
            if address not in self.replaced and differs(before[address].properties, after[address].properties)
        }
        """Resources that change in place."""
        while self._follow_references():
            pass

    def has_moved(self, reference: Reference) -> bool:
        """Whether a reference, unchanged as text, returns another value than before."""
        if reference.target in self.replaced:
            return True
        if reference.target not in self.updated:
            return False
        return reference.attribute in CHANGED_BY_EVERY_UPDATE.get(self._before[reference.target].type_name, ())

    def _difference(self, address: Address) -> ReplacementCause | None:
        """The first create-only property whose value is another one."""
        before, after = self._before[address], self._after[address]
        if before.type_name != after.type_name:
            return ReplacementCause(("Type",), before.type_name, after.type_name)
        create_only = self._create_only(before.type_name)
        path = next(differing_paths(create_only, before.properties, after.properties), None)
        if path is None:
            return None
        return ReplacementCause(path, value_at(before.properties, path), value_at(after.properties, path))

    def _follow_references(self) -> bool:
        """One step along the references; false when nothing new came of it."""
        moved = False
        for address in self._after:
            if address in self.replaced or not any(map(self.has_moved, self._references[address])):
                continue
            cause = self._moved_reference(address)
            if cause is not None:
                self.replaced[address] = cause
                self.updated.discard(address)
                moved = True
            elif address not in self.updated:
                self.updated.add(address)
                moved = True
        return moved

    def _moved_reference(self, address: Address) -> ReplacementCause | None:
        state = self._after[address]
        for path in sorted(self._create_only(self._before[address].type_name)):
            value = value_at(state.properties, path)
            for reference in references(value):
                if self.has_moved(reference):
                    return ReplacementCause(path, value, value, reference.target)
        return None
