"""Reads properties whose values may be unknown before the deploy.

A rule reads properties through these functions, so that an unknown value never violates it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.cloudformation.values import UNKNOWN, Reference, Unknown


def at(tree: Any, *path: str | int) -> Any:
    """The value at a path: None when it is not set, UNKNOWN when that is known only at deploy time."""
    for step in path:
        if type(tree) is dict:  # isinstance with Mapping takes three times as long as the rest
            tree = tree.get(step)
        elif is_unknown(tree):
            return UNKNOWN
        elif isinstance(tree, Mapping):
            tree = tree.get(step)
        elif isinstance(tree, Sequence) and not isinstance(tree, str) and isinstance(step, int):
            tree = tree[step] if step < len(tree) else None
        else:
            return None
    return tree


def is_unknown(value: Any) -> bool:
    """Whether the plain value is unknown before the deploy, as that of a reference is."""
    return isinstance(value, Unknown | Reference)


def is_given(value: Any) -> bool:
    """Whether a value is certainly set: a plain value or a reference."""
    return value is not None and value is not UNKNOWN


def items(value: Any) -> list[Any]:
    """The items of a list; empty where the value is not a list or unknown."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def one_or_more(value: Any) -> list[Any]:
    """The items of a policy element that is one item or a list."""
    return [value] if isinstance(value, str | Mapping) else items(value)


def text(value: Any) -> str | None:
    """The string; None where the value is not a string or unknown."""
    return value if isinstance(value, str) else None


def whole_number(value: Any) -> int | None:
    """The integer, which templates may also write as a string; None where the value is not an integer or unknown."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def is_true(value: Any) -> bool:
    """Whether the value is certainly true; templates may also write it as a string."""
    return value is True or value in ("true", "True")


def is_false(value: Any) -> bool:
    """Whether the value is certainly false. A missing value is not."""
    return value is False or value in ("false", "False")
