"""Names that two items of a list have."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.rules.base import Violation, Violations


def duplicate_names(items: Iterable[tuple[KeyPath, str]]) -> Violations:
    """A violation for each item, given by its path and its name, whose name an earlier one has."""
    paths: dict[str, KeyPath] = {}
    for path, name in items:
        first = paths.setdefault(name, path)
        if first != path:
            message = f"name is {name}, which {format_path(first)} already uses"
            yield Violation((*path, "name"), message, "rename one of the two", related=(first,))
