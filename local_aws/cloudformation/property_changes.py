"""Changes of a resource by an update: which properties differ, and whether that replaces it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import UNKNOWN, as_text, holds_unknown

PropertyPath = tuple[str, ...]
"""Names of properties from the resource's ``Properties`` down; ``*`` stands for every item of a list."""


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


def property_changes(
    create_only: Iterable[PropertyPath], before: Mapping[str, Any], after: Mapping[str, Any]
) -> list[PropertyChange]:
    """The changes of a resource, by property name; ``create_only`` are the properties whose change replaces it."""
    names = [name for name in sorted({*before, *after}) if differs(before.get(name), after.get(name))]
    if not names:
        return []
    replacing = {path[0] for path in differing_paths(create_only, before, after)}
    return [PropertyChange(name, before.get(name), after.get(name), name in replacing) for name in names]


def requires_replacement(changes: Iterable[PropertyChange], replaced_in_place: Collection[str] = ()) -> bool:
    """Whether the changes take a new resource.

    ``replaced_in_place`` are the create-only properties that the service replaces in one call, because the old one and
    the new one cannot exist at the same time.
    """
    return any(change.create_only and change.name not in replaced_in_place for change in changes)


def keeps_given_name(identifier: Iterable[PropertyPath], before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether the template names the resource by these properties, and gives its replacement the same name."""
    values = [(value_at(before, path), value_at(after, path)) for path in identifier]
    return bool(values) and all(old is not None and not differs(old, new) for old, new in values)


def differing_paths(paths: Iterable[PropertyPath], before: Any, after: Any) -> Iterator[PropertyPath]:
    """Yields the paths at which the values differ, in the order of their names."""
    return (path for path in sorted(paths) if differs(value_at(before, path), value_at(after, path)))


def value_at(properties: Any, path: PropertyPath) -> Any:
    """The value at a path; a list of values below ``*``; None when absent."""
    if not path:
        return properties
    if path[0] == "*":
        return [value_at(item, path[1:]) for item in properties] if isinstance(properties, list) else None
    if properties is UNKNOWN:
        return UNKNOWN
    return value_at(properties.get(path[0]), path[1:]) if isinstance(properties, dict) else None


def differs(before: Any, after: Any) -> bool:
    """Whether two values differ; a number or a boolean and its text are the same to CloudFormation."""
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() != after.keys() or any(differs(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) != len(after) or any(differs(a, b) for a, b in zip(before, after, strict=True))
    if before is UNKNOWN or after is UNKNOWN:
        return True
    if isinstance(before, str | int | float) and isinstance(after, str | int | float):
        return as_text(before) != as_text(after)
    return bool(before != after)
