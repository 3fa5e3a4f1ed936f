"""Reads fields of Kubernetes objects: one by its path, and all that a path with wildcards matches.

Nothing is validated here: a field of another type reads as not set; JSON schemas reject it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any

SCALARS = frozenset({str, int, float, bool, NoneType})
"""Types that have no members: nine of ten values."""


def at(tree: Any, *path: str) -> Any:
    """The value at a path; None where there is none."""
    for step in path:
        if type(tree) is dict or isinstance(
            tree, Mapping
        ):  # most are, and `isinstance` of a Mapping takes three times as long as the rest
            tree = tree.get(step)
        else:
            return None
    return tree


def items(value: Any) -> list[Any]:
    """The items of a list; empty where the value is not a list."""
    return list(value) if isinstance(value, list | tuple) else []


def numbered(tree: Any, path: str) -> list[tuple[str, Any]]:
    """The items of a list, each with its path: ``ports[0]``."""
    return [(f"{path}[{position}]", item) for position, item in enumerate(items(tree))]


def text(value: Any) -> str | None:
    """A string, or None."""
    return value if isinstance(value, str) else None


def text_pairs(tree: Any) -> dict[str, str]:
    """A map of strings to strings, without the entries that are not."""
    pairs = tree.items() if isinstance(tree, Mapping) else ()
    return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}


def whole_number(value: Any) -> int | None:
    """An integer, also one in quotes; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else None


def expand(tree: Any, path: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of everything that ``path`` matches; ``*`` is each item of a list and each value of a map.

    ``expand(body, "spec.replicatedJobs.*.template")`` yields ``spec.replicatedJobs[0].template`` and so on.
    """
    while path:
        step, _, path = path.partition(".")
        if step == "*":
            found = tree.items() if isinstance(tree, Mapping) else enumerate(items(tree))
            for key, value in found:
                yield from expand(value, path, inside(prefix, key))
            return
        if (type(tree) is not dict and not isinstance(tree, Mapping)) or step not in tree:
            return
        tree, prefix = tree[step], inside(prefix, step)
    yield prefix, tree


def inside(path: str, key: Any) -> str:
    """The path of a member: ``limits[aws.amazon.com/neuron]`` where the key contains dots."""
    if not isinstance(key, str) or "." in key or "/" in key:
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def every_value(tree: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Path and value of everything inside, the outermost first."""
    every: list[tuple[str, Any]] = []
    _add_values(tree, prefix, every)
    return every


def _add_values(tree: Any, prefix: str, every: list[tuple[str, Any]]) -> None:
    """No generator: each value of one inside another passes through all of them."""
    found = tree.items() if type(tree) is dict or isinstance(tree, Mapping) else enumerate(items(tree))
    for key, value in found:
        path = inside(prefix, key)
        every.append((path, value))
        if type(value) not in SCALARS:
            _add_values(value, path, every)
