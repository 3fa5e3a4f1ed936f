"""Names that two items of a list have, and names that give one logical id."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.rules.base import Violation, Violations

NamedItems = Iterable[tuple[KeyPath, str]]
"""The path and the name of each item."""


def duplicate_names(items: NamedItems) -> Violations:
    """A violation for each item whose name an earlier one has."""
    paths: dict[str, KeyPath] = {}
    for path, name in items:
        first = paths.setdefault(name, path)
        if first != path:
            message = f"name is {name}, which {format_path(first)} already uses"
            yield Violation((*path, "name"), message, "rename one of the two", related=(first,))


def equal_logical_ids(items: NamedItems, key: str = "name", *, also: str = "") -> Violations:
    """A violation for each item whose name differs from an earlier one only in what a logical id does not have.

    CDK makes the logical id of a resource directly in its stack from the letters and digits of its construct id. For
    another name it would be another id, and a deploy would replace the resource: so these names are rejected. A name of
    two parts is written ``namespace/account``; ``key`` is that of the last part. ``also`` ends the hint: what else
    a new name needs.
    """
    found: dict[str, tuple[KeyPath, str]] = {}
    for path, name in items:
        first, other = found.setdefault("".join(filter(str.isalnum, name)), (path, name))
        if other != name:
            message = f"{name} gives the logical id of {other} in {format_path(first)}: it has letters and digits only"
            another = f"{name.rpartition('/')[2]}-2"
            hint = f"rename the one that is not deployed, so that more than a hyphen differs, such as {another}{also}"
            yield Violation((*path, key), message, hint, related=(first,))
