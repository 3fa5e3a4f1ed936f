"""Values of Helm charts: read by dotted path, and merged as helm does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path; None where the values do not have it."""
    found: Any = values
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """``above`` over ``below``: mappings are merged, everything else is replaced."""
    both = dict(below)
    for key, value in above.items():
        under = both.get(key)
        both[key] = merged(under, value) if isinstance(under, Mapping) and isinstance(value, Mapping) else value
    return both


def with_value(values: Mapping[str, Any], path: str, setting: Any) -> dict[str, Any]:
    """Returns a copy with the setting at a dotted path, and no other change."""
    first, _, rest = path.partition(".")
    if not rest:
        return {**values, first: setting}
    below = values.get(first)
    return {**values, first: with_value(below if isinstance(below, Mapping) else {}, rest, setting)}
