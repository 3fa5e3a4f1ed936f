"""Reading properties of which a part may not be known before the deploy.

A rule reads properties through these functions, so that what is not known never makes it fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.cloudformation.values import UNKNOWN, Reference, Unknown


def at(tree: Any, *path: str | int) -> Any:
    """What stands at a path: None when nothing does, UNKNOWN when that cannot be told."""
    for step in path:
        if type(tree) is dict:  # most are, and to ask for a Mapping takes three times as long as the rest
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
    """Whether a plain value cannot be told; a reference stands for one that the deploy makes."""
    return isinstance(value, Unknown | Reference)


def is_given(value: Any) -> bool:
    """Whether something stands here for sure: a plain value or a reference."""
    return value is not None and value is not UNKNOWN


def items(value: Any) -> list[Any]:
    """The items of a list; none where there is no list or it cannot be told."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []


def one_or_more(value: Any) -> list[Any]:
    """A policy's member that may be one item or a list of them."""
    return [value] if isinstance(value, str | Mapping) else items(value)


def text(value: Any) -> str | None:
    """A text, or None where it is none or cannot be told."""
    return value if isinstance(value, str) else None


def whole_number(value: Any) -> int | None:
    """A whole number, which templates may also write as text; None where it is none or cannot be told."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def is_true(value: Any) -> bool:
    """Whether the value is true for sure; templates may also write it as text."""
    return value is True or value in ("true", "True")


def is_false(value: Any) -> bool:
    """Whether the value is false for sure. An absent one is not."""
    return value is False or value in ("false", "False")
