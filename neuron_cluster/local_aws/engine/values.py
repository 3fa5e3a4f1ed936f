"""What a resolved template may hold besides plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


class Unknown:
    """A value that a change set cannot tell yet, because the resource it comes from is not made or changed yet."""

    def __repr__(self) -> str:
        return "{{changeSet:KNOWN_AFTER_APPLY}}"


UNKNOWN: Final = Unknown()


class NoValue:
    """AWS::NoValue: the property is as if it were not written."""


NO_VALUE: Final = NoValue()


def holds_unknown(value: Any) -> bool:
    """Whether any part of the value is unknown."""
    if isinstance(value, Mapping):
        return any(holds_unknown(item) for item in value.values())
    if isinstance(value, list):
        return any(holds_unknown(item) for item in value)
    return value is UNKNOWN


def as_text(value: Any) -> str:
    """A scalar as CloudFormation writes it into a string."""
    return str(value).lower() if isinstance(value, bool) else str(value)
