"""What an update does to a resource: which properties differ, and whether that takes a new one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.resource_schema import PropertyPath, create_only_properties, resource_schema
from neuron_cluster.local_aws.engine.values import UNKNOWN, holds_unknown


class PropertyChange(Struct, frozen=True):
    """A top-level property that differs."""

    name: str
    before: Any
    """None when it was absent; so too for ``after``."""
    after: Any
    create_only: bool
    """Whether a create-only property differs in it."""

    @property
    def certain(self) -> bool:
        """False when the new value, and so whether it differs at all, is not known yet."""
        return not holds_unknown(self.after)


def property_changes(type_name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[PropertyChange]:
    """The changes of a resource, by property name."""
    create_only = create_only_properties(type_name)
    return [
        PropertyChange(
            name=name,
            before=before.get(name),
            after=after.get(name),
            create_only=any(path[0] == name and _differs(_at(before, path), _at(after, path)) for path in create_only),
        )
        for name in sorted({*before, *after})
        if _differs(before.get(name), after.get(name))
    ]


def keeps_given_name(type_name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether the author named the resource, and names its replacement the same."""
    schema = resource_schema(type_name)
    if schema is None or set(schema.primary_identifier) & set(schema.read_only):
        return False
    identifiers = [tuple(path.split("/")) for path in schema.primary_identifier]
    return all(
        _at(before, path) is not None and not _differs(_at(before, path), _at(after, path)) for path in identifiers
    )


def _at(properties: Any, path: PropertyPath) -> Any:
    """The value at a path; a list of values below ``*``; None when absent."""
    if not path:
        return properties
    if path[0] == "*":
        return [_at(item, path[1:]) for item in properties] if isinstance(properties, list) else None
    if properties is UNKNOWN:
        return UNKNOWN
    return _at(properties.get(path[0]), path[1:]) if isinstance(properties, Mapping) else None


def _differs(before: Any, after: Any) -> bool:
    """Whether two values differ, a number or truth value and its text being the same to CloudFormation."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return set(before) != set(after) or any(_differs(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) != len(after) or any(_differs(a, b) for a, b in zip(before, after, strict=True))
    if before is UNKNOWN or after is UNKNOWN:
        return True
    if isinstance(before, str | int | float) and isinstance(after, str | int | float):
        return _scalar(before) != _scalar(after)
    return bool(before != after)


def _scalar(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
