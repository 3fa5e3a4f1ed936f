"""The inputs that a rule declares: a context raises for any other one."""

from __future__ import annotations

import enum
from typing import TypeVar

from msgspec import UnsetType

T = TypeVar("T")


class UndeclaredNeed(LookupError):
    """A rule reads a property of its context that its ``needs`` does not name."""


def needed(value: T | UnsetType, need: enum.Enum) -> T:
    """The value. Raises ``UndeclaredNeed`` where the context was made for a rule with another ``needs``."""
    if isinstance(value, UnsetType):
        raise UndeclaredNeed(f"a rule that reads this declares `needs = {need}`")
    return value
