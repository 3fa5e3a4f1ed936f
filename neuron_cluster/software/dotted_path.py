"""Reading values of charts by the dotted paths that the catalog names their keys with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path; None where the values say nothing."""
    found: Any = values
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
