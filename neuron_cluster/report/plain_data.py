"""Frozen dataclasses as plain data that JSON can hold."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from datetime import date
from typing import Any


def plain(value: Any) -> Any:
    """Dataclasses and mappings become dicts, tuples lists, enumerations and dates their text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, enum.Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value
