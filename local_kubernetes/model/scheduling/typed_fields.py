"""Reads fields of a manifest by their type, and raises an error for what Kubernetes does not accept."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from local_kubernetes.model.quantity import amount_of


class UnreadableField(ValueError):
    """The value of a field is not of the type that Kubernetes requires."""


def require_list(value: Any, field: str) -> list[Any]:
    """The items of a list; none where the field is not set. Raises UnreadableField."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise UnreadableField(f"{field} is {value!r}, and must be a list")
    return list(value)


def mapped(value: Any, field: str) -> Mapping[str, Any]:
    """A map; empty where the field is not set. Raises UnreadableField, also for a key that is not a string."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UnreadableField(f"{field} is {value!r}, and must be a map")
    for key in value:
        required_text(key, f"a key of {field}")
    return value


def required_text(value: Any, field: str) -> str:
    """Raises UnreadableField for anything but a string."""
    if not isinstance(value, str):
        raise UnreadableField(f"{field} is {value!r}, and must be a string: put it into quotes")
    return value


def optional_text(value: Any, field: str) -> str | None:
    """The same, None where the field is not set."""
    return None if value is None else required_text(value, field)


def text_map(value: Any, field: str) -> dict[str, str]:
    """A map of strings to strings. Raises UnreadableField."""
    return {key: required_text(text, f"{field}.{key}") for key, text in mapped(value, field).items()}


def one_of(value: Any, field: str, allowed: tuple[str, ...]) -> str:
    """One of these values. Raises UnreadableField for any other."""
    if value not in allowed:
        raise UnreadableField(f"{value!r} is not a valid {field}: {', '.join(allowed)}")
    return str(value)


def count(value: Any, field: str) -> int:
    """An integer of at least 0. Raises UnreadableField."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UnreadableField(f"{field} is {value!r}, and must be an integer of at least 0")
    return value


def amounts(value: Any, field: str) -> dict[str, int]:
    """``cpu`` in millicores, the rest in bytes or as numbers; rounded up. Raises ValueError for an invalid quantity."""
    return {name: _amount(amount, name, field) for name, amount in mapped(value, field).items()}


def _amount(value: Any, name: str, field: str) -> int:
    amount = amount_of(value)
    if amount < 0:
        raise UnreadableField(f"{field}.{name} is {value!r}, and must not be below 0")
    return ceil(amount * (1000 if name == "cpu" else 1))
