"""Edited keys: those whose values differ between two environment files, with the word of the change table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.change_table import ChangeTable
from neuron_cluster.changes.shown_values import shown, shown_pair
from neuron_cluster.config.change_row import ChangeRow
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.fields import key_of
from neuron_cluster.config.scalars import ClosedModel
from neuron_cluster.findings.finding import Finding, Location

WRITTEN, NOT_WRITTEN = "written", "not written"
ELSEWHERE = "E9010"


class EditedKey(Struct, frozen=True):
    """One key. Items of a list that have names are identified by them: ``workstations[alice].root_volume.size_gib``."""

    path: str
    before: str
    after: str
    effect: str
    """The effect by the change table, ``in place``."""
    what: str
    pattern: str
    """The row of the change table: ``workstations[].root_volume.size_gib``."""


class _Difference(Struct, frozen=True):
    """The two values of one key."""

    old: Any
    new: Any
    path: str
    pattern: str


def edited_keys(old: EnvironmentConfig, new: EnvironmentConfig, table: ChangeTable) -> list[EditedKey]:
    """Every key whose value differs, in the order of the file; a section that is added or removed is one key."""
    return [_edited(each, table[each.pattern]) for each in _of_models(old, new, "", "")]


def elsewhere_findings(edited: Sequence[EditedKey], file: str, table: ChangeTable) -> list[Finding]:
    """E9010, for edits after which the file names another place: no template shows those."""
    return [
        Finding(
            ELSEWHERE,
            Location(file, path=key.path),
            f"{key.path} is {key.after}, it was {key.before}: {key.what[0].lower()}{key.what[1:]}",
            table[key.pattern].steps,
        )
        for key in edited
        if not table[key.pattern].seen_in_templates
    ]


def _of_models(old: ClosedModel, new: ClosedModel, path: str, pattern: str) -> Iterator[_Difference]:
    for name, field in type(new).model_fields.items():
        key = key_of(name, field)
        here = (f"{path}.{key}" if path else key, f"{pattern}.{key}" if pattern else key)
        yield from _of_values(getattr(old, name), getattr(new, name), *here)


def _of_values(old: Any, new: Any, path: str, pattern: str) -> Iterator[_Difference]:
    if old == new:
        return
    if isinstance(old, ClosedModel) and type(old) is type(new):
        yield from _of_models(old, new, path, pattern)
    elif (named := _named(old)) is not None and (others := _named(new)) is not None:
        for name in dict.fromkeys([*named, *others]):
            if name in named and name in others:
                yield from _of_models(named[name], others[name], f"{path}[{name}]", f"{pattern}[]")
            else:
                yield _Difference(named.get(name), others.get(name), f"{path}[{name}]", pattern)
    else:
        yield _Difference(old, new, path, pattern)


def _named(value: Any) -> dict[str, ClosedModel] | None:
    """The items of a list by their names; None for anything else than a list of models with names."""
    if not isinstance(value, list) or not all(
        isinstance(item, ClosedModel) and hasattr(item, "name") for item in value
    ):
        return None
    return {str(item.name): item for item in value}


def _edited(key: _Difference, row: ChangeRow) -> EditedKey:
    before, after = _written(key.old, key.new), _written(key.new, key.old)
    if NOT_WRITTEN not in (before, after):
        before, after = shown_pair(before, after)
    elif WRITTEN not in (before, after):
        before, after = shown(before), shown(after)
    return EditedKey(key.path, before, after, _effect(key, row), row.what, key.pattern)


def _effect(key: _Difference, row: ChangeRow) -> str:
    is_growing = isinstance(key.old, int) and isinstance(key.new, int) and key.new > key.old
    return row.growing.value if row.growing is not None and is_growing else row.summary


def _written(value: Any, other: Any) -> Any:
    """The value; of a section that only one of the two files has, no more than that it is there."""
    if value is None:
        return NOT_WRITTEN
    if isinstance(value, ClosedModel):
        return WRITTEN if other is None else value.model_dump(mode="json")
    if isinstance(value, list):
        return [item.model_dump(mode="json") if isinstance(item, ClosedModel) else item for item in value]
    return value
