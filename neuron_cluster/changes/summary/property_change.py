"""Which properties of a resource an edit changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address, Reference
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.resource_name import describe, name_in
from neuron_cluster.changes.shown_values import shown, shown_pair


class PropertyChange(Struct, frozen=True):
    """``path`` is the property's, ``ScalingConfig/DesiredSize``; ``nothing`` stands for a value that is not there."""

    path: str
    before: str
    after: str
    through: Address | None = None
    """Set when the text stays the same and this resource, to which it refers, gives another value."""
    through_name: str = ""
    """The name of that resource for people."""

    @property
    def brief(self) -> str:
        """``Ebs/VolumeSize: 512 -> 600``: the end of the path is enough where the resource is known."""
        names = [part for part in self.path.split("/") if not part.isdigit()]
        return str(PropertyChange("/".join(names[-2:]), *astuple(self)[1:]))

    def __str__(self) -> str:
        if self.through is not None:
            return f"{self.path}: {self.through_name} changes"
        return f"{self.path}: {self.before} -> {self.after}"


MAX_SUMMARIZED = 3


def summarized(changes: Iterable[PropertyChange]) -> str:
    """The first few changes, each once, and how many more there are."""
    lines = list(dict.fromkeys(change.brief for change in changes))
    more = len(lines) - MAX_SUMMARIZED
    return "; ".join([*lines[:MAX_SUMMARIZED], *([f"and {more} more"] if more > 0 else [])])


def property_changes(comparison: Comparison, address: Address) -> tuple[PropertyChange, ...]:
    """The changes of a resource that is there before and after, by property."""
    old, new = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
    return (*_differing(comparison, "", old, new), *_moved(comparison, "", new))


def _differing(comparison: Comparison, path: str, old: Any, new: Any) -> Iterator[PropertyChange]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differing(comparison, _below(path, key), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for position, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differing(comparison, _below(path, str(position)), before, after)
    else:
        named = describe(comparison.before, old), describe(comparison.after, new)
        yield PropertyChange(path, *shown_pair(*(named if named[0] != named[1] else (old, new))))


def _moved(comparison: Comparison, path: str, value: Any) -> Iterator[PropertyChange]:
    if isinstance(value, Reference):
        if comparison.has_moved(value):
            same = shown(describe(comparison.after, value))
            yield PropertyChange(path, same, same, value.target, name_in(comparison, value.target))
    elif isinstance(value, dict) and any(map(comparison.has_moved, references(value))):
        for key, item in value.items():
            yield from _moved(comparison, _below(path, key), item)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _moved(comparison, _below(path, str(position)), item)


def _below(path: str, key: str) -> str:
    return f"{path}/{key}" if path else key


def behind(comparison: Comparison, changes: Iterable[PropertyChange]) -> Iterator[PropertyChange]:
    """Yields the changes behind these changes: for a launch template those in it."""
    for change in changes:
        within = property_changes(comparison, change.through) if change.through is not None else ()
        yield from within or (change,)
