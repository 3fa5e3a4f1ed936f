"""The edits of a file that give keys other values, whatever form they have: scalars, lists and new or absent keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.upgrade.edited_files import EditedValues, edited_values
from neuron_cluster.upgrade.file_edit import FileEdit, NewKey
from neuron_cluster.upgrade.list_edit import ListEdit, RemovedKey, yaml_text

WHY = "actual value"


class AdoptedEdits(Struct, frozen=True):
    scalars: tuple[FileEdit, ...]
    added: tuple[NewKey, ...]
    others: tuple[ListEdit | RemovedKey, ...]


def edits_of(values: Iterable[tuple[KeyPath, Any, Any]]) -> AdoptedEdits:
    """``values`` are keys with the value before and after; None for a key that the file does not have."""
    scalars: list[FileEdit] = []
    added: list[NewKey] = []
    others: list[ListEdit | RemovedKey] = []
    for path, before, after in values:
        if after is None:
            others.append(RemovedKey(path))
        elif before is None:
            added.append(NewKey(path, _text(after)))
        elif isinstance(after, list):
            others.append(ListEdit(path, tuple(after)))
        else:
            scalars.append(FileEdit(path, str(before), _plain(after), WHY))
    return AdoptedEdits(tuple(scalars), tuple(added), tuple(others))


def with_adopted(file: EnvironmentFile, edits: AdoptedEdits, local: Project | None) -> EditedValues:
    """The files with the edits. Raises ``ToolkitError`` where one would change more than its value."""
    return edited_values(file, edits.scalars, edits.added, local, edits.others)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(value: Any) -> str:
    return yaml_text(value) if isinstance(value, str | list) else _plain(value)
