"""Edits of scalars in YAML text. Everything else (comments, order, quotes, blank lines) stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml
from msgspec import Struct

from neuron_cluster.config.document import Loader
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import ToolkitError

QUOTES = {"'": "'", '"': '"'}


class FileEdit(Struct, frozen=True):
    """One scalar of the file with its new value."""

    path: KeyPath
    before: str
    after: str
    why: str


def edited_text(text: str, edits: Iterable[FileEdit]) -> str:
    """The text with the edits. Raises ``ToolkitError`` when one would change more than its value."""
    wanted = {edit.path: edit for edit in edits}
    lines = text.splitlines(keepends=True)
    for edit, node in _from_the_end(_scalars(text), wanted):
        if node.value != edit.before or node.start_mark.line != node.end_mark.line:
            raise _cannot(edit)
        line = lines[node.start_mark.line]
        quote = QUOTES.get(node.style or "", "")
        lines[node.start_mark.line] = (
            line[: node.start_mark.column] + quote + edit.after + quote + line[node.end_mark.column :]
        )
    made = "".join(lines)
    values = _scalars(made)
    for edit in wanted.values():
        if edit.path not in values or values[edit.path].value != edit.after:
            raise _cannot(edit)
    return made


def scalar_values(text: str) -> dict[KeyPath, str]:
    """The text of every scalar by its path, without quotes, in the order of the file."""
    found = sorted(_scalars(text).items(), key=lambda item: item[1].start_mark.index)
    return {path: node.value for path, node in found}


def _from_the_end(scalars: dict[KeyPath, Any], wanted: dict[KeyPath, FileEdit]) -> list[tuple[FileEdit, Any]]:
    """Last edit first, so that the positions before an edit stay valid."""
    missing = [edit for path, edit in wanted.items() if path not in scalars]
    if missing:
        raise _cannot(missing[0])
    pairs = [(edit, scalars[path]) for path, edit in wanted.items()]
    return sorted(pairs, key=lambda pair: (pair[1].start_mark.line, pair[1].start_mark.column), reverse=True)


def _scalars(text: str) -> dict[KeyPath, Any]:
    """Every scalar of the text by its path."""
    found: dict[KeyPath, Any] = {}
    waiting: list[tuple[KeyPath, Any]] = [((), yaml.compose(text, Loader=Loader))]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            waiting += [((*path, key.value), value) for key, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            waiting += [((*path, position), item) for position, item in enumerate(node.value)]
        elif node is not None:
            found[path] = node
    return found


def _cannot(edit: FileEdit) -> ToolkitError:
    return ToolkitError(
        f"{format_path(edit.path)} cannot be edited without changing more than its value",
        hint=f"replace {edit.before} by {edit.after} in an editor",
    )
