"""Records as plain data that JSON can hold."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from datetime import date
from typing import Any

from msgspec import Struct


def plain(value: Any) -> Any:
    """Records and mappings become dicts, tuples lists, enumerations and dates their text."""
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, enum.Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value
