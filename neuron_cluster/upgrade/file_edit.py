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


class NewKey(Struct, frozen=True):
    """A key that the file does not have, because a default applied, with its value as text of YAML."""

    path: KeyPath
    value: str


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


def with_new_key(text: str, new: NewKey) -> str:
    """The text with a key that it does not have, after a key of the same mapping whose value is on one line.

    Raises ``ToolkitError`` where the file has no such key, or lists of the way to it are not in the file.
    """
    mapping, rest = _nearest_mapping(yaml.compose(text, Loader=Loader), new.path)
    pairs = [] if mapping is None or mapping.flow_style else mapping.value
    lines_of_one = [(key, value) for key, value in pairs if key.start_mark.line == value.end_mark.line]
    if not lines_of_one or not all(isinstance(step, str) for step in rest):
        raise _cannot_add(new)
    key, value = lines_of_one[-1]
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    at = value.end_mark.line
    if not lines[at].endswith(("\n", "\r")):
        lines[at] += end
    indent = key.start_mark.column
    lines_of_key = [f"{' ' * (indent + 2 * depth)}{step}:{end}" for depth, step in enumerate(rest)]
    lines_of_key[-1] = lines_of_key[-1].removesuffix(end) + f" {new.value}{end}"
    made = "".join([*lines[: at + 1], *lines_of_key, *lines[at + 1 :]])
    before, after = (scalar_values(each) for each in (text, made))
    own = {(*new.path, *path[1:]): value for path, value in scalar_values(f"value: {new.value}").items()}
    if after != {**before, **own}:
        raise _cannot_add(new)
    return made


def _nearest_mapping(node: Any, path: KeyPath) -> tuple[Any, KeyPath]:
    """The innermost mapping on the way to a key, and the rest of the way."""
    for position, step in enumerate(path):
        if isinstance(node, yaml.MappingNode):
            inner = next((value for key, value in node.value if key.value == step), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            inner = node.value[step]
        else:
            return None, path
        if inner is None:
            return (node, path[position:]) if isinstance(node, yaml.MappingNode) else (None, path)
        node = inner
    return None, path


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


def _cannot_add(new: NewKey) -> ToolkitError:
    return ToolkitError(
        f"{format_path(new.path)} cannot be added without changing more than its value",
        hint=f"write {new.path[-1]}: {new.value} in an editor",
    )
