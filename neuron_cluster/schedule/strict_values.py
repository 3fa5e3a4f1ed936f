"""Reads fields of a manifest, and says what of them Kubernetes would not read: nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from neuron_cluster.kubernetes.quantity import amount_of


class UnreadableField(ValueError):
    """What stands in a field is not what Kubernetes takes there."""


def listed(value: Any, field: str) -> list[Any]:
    """The items of a list, none where nothing stands. Raises UnreadableField for what is no list."""
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise UnreadableField(f"{field} is {value!r}, and takes a list")
    return list(value)


def mapped(value: Any, field: str) -> Mapping[str, Any]:
    """A map, empty where nothing stands. Raises UnreadableField for what is none, or has a key that is no text."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UnreadableField(f"{field} is {value!r}, and takes a map")
    for key in value:
        required_text(key, f"a key of {field}")
    return value


def required_text(value: Any, field: str) -> str:
    """Raises UnreadableField for what is no text, or nothing."""
    if not isinstance(value, str):
        raise UnreadableField(f"{field} is {value!r}, and takes text: put it into quotes")
    return value


def optional_text(value: Any, field: str) -> str | None:
    """The same, None where nothing stands."""
    return None if value is None else required_text(value, field)


def text_map(value: Any, field: str) -> dict[str, str]:
    """A map of text to text. Raises UnreadableField for anything else."""
    return {key: required_text(text, f"{field}.{key}") for key, text in mapped(value, field).items()}


def one_of(value: Any, field: str, allowed: tuple[str, ...]) -> str:
    """One of these words. Raises UnreadableField for any other."""
    if value not in allowed:
        raise UnreadableField(f"{value!r} is no {field}: {', '.join(allowed)}")
    return str(value)


def count(value: Any, field: str) -> int:
    """A whole number that is not below zero. Raises UnreadableField for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UnreadableField(f"{field} is {value!r}, and takes a whole number from 0")
    return value


def amounts(value: Any, field: str) -> dict[str, int]:
    """``cpu`` in millicores, the rest in bytes or as numbers; rounded up. Raises ValueError for what is no amount."""
    return {name: _amount(amount, name, field) for name, amount in mapped(value, field).items()}


def _amount(value: Any, name: str, field: str) -> int:
    amount = amount_of(value)
    if amount < 0:
        raise UnreadableField(f"{field}.{name} is {value!r}, and takes nothing below zero")
    return ceil(amount * (1000 if name == "cpu" else 1))
