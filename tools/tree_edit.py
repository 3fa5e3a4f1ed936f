"""Edits of a tree of mappings and lists, as fixtures write them: a path of keys and positions, and a value."""

from __future__ import annotations

import copy
from typing import Any

DELETE = "~delete~"
Path = tuple[str | int, ...]


def edit(tree: Any, path: Path, value: Any) -> None:
    """Sets the value; ``~delete~`` removes what is there, and a position one past the end of a list appends."""
    *way, last = path
    for part in way:
        tree = tree.setdefault(part, {}) if isinstance(tree, dict) else tree[part]
    if value == DELETE:
        del tree[last]
    elif isinstance(tree, list) and last == len(tree):
        tree.append(copy.deepcopy(value))  # a later edit may change what this one wrote
    else:
        tree[last] = copy.deepcopy(value)


def at(tree: Any, path: Path) -> Any:
    """Returns the value of the tree at a path; None for nothing."""
    for part in path:
        try:
            tree = tree[part]
        except (KeyError, IndexError, TypeError):
            return None
    return tree
