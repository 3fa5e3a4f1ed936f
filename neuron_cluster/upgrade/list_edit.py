"""Edits of lists in YAML text: items are added and taken out, the others and their comments stay byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from msgspec import Struct

from neuron_cluster.config.document import Loader
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import ToolkitError

Item = str | Mapping[str, str]
"""An item of a list, its scalars as text; a mapping has no other items in it."""
PLAIN = re.compile(r"[A-Za-z_][\w./-]*")
NOT_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


class ListEdit(Struct, frozen=True):
    """A list of the file with its new items; without any, the key is taken out, so that its default applies."""

    path: KeyPath
    after: tuple[Item, ...]


class RemovedKey(Struct, frozen=True):
    """A key that is taken out."""

    path: KeyPath


def yaml_text(value: Item | Sequence[Item]) -> str:
    """The value on one line; a text that YAML would read as something else is quoted."""
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and value.lower() not in NOT_TEXT else json.dumps(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{yaml_text(key)}: {yaml_text(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(yaml_text, value)) + "]"


def with_list(text: str, edit: ListEdit) -> str:
    """The text with the items. Raises ``ToolkitError`` where an item or the list is on several lines."""
    if not edit.after:
        return without_key(text, RemovedKey(edit.path))
    _, node = _pair(text, edit.path)
    if not isinstance(node, yaml.SequenceNode):
        raise _cannot(edit.path)
    made = _flow(text, node, edit) if node.flow_style else _block(text, node, edit)
    if as_text(_at(made, edit.path)) != as_text(edit.after):
        raise _cannot(edit.path)
    return made


def without_key(text: str, removed: RemovedKey) -> str:
    """The text without a key. Raises ``ToolkitError`` for a key of a mapping that is on one line with others."""
    key, node = _pair(text, removed.path)
    lines = text.splitlines(keepends=True)
    start, end = key.start_mark.line, _last_line(node) + 1
    if lines[start][: key.start_mark.column].strip():
        raise _cannot(removed.path)
    made = "".join([*lines[:start], *lines[end:]])
    if _without(_loaded(text), removed.path) != _loaded(made):
        raise _cannot(removed.path)
    return made


def _flow(text: str, node: Any, edit: ListEdit) -> str:
    if node.start_mark.line != node.end_mark.line:
        raise _cannot(edit.path)
    kept = {_key(_value(each)): text[each.start_mark.index : each.end_mark.index] for each in node.value}
    items = [kept.get(_key(each)) or yaml_text(each) for each in edit.after]
    return f"{text[: node.start_mark.index]}[{', '.join(items)}]{text[node.end_mark.index :]}"


def _block(text: str, node: Any, edit: ListEdit) -> str:
    """Lines of items that go are taken out; those that come are after the last one."""
    if any(each.start_mark.line != _last_line(each) for each in node.value):
        raise _cannot(edit.path)
    lines = text.splitlines(keepends=True)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    wanted, kept = {_key(each) for each in edit.after}, {_key(_value(each)) for each in node.value}
    gone = {each.start_mark.line for each in node.value if _key(_value(each)) not in wanted}
    last = node.value[-1].start_mark.line
    if not lines[last].endswith(("\n", "\r")):
        lines[last] += end
    indent = " " * node.start_mark.column
    new = [f"{indent}- {yaml_text(each)}{end}" for each in edit.after if _key(each) not in kept]
    before = [line for number, line in enumerate(lines[: last + 1]) if number not in gone]
    return "".join([*before, *new, *lines[last + 1 :]])


def _pair(text: str, path: KeyPath) -> tuple[Any, Any]:
    """The nodes of a key and its value."""
    key, node = None, yaml.compose(text, Loader=Loader)
    for step in path:
        if isinstance(node, yaml.MappingNode):
            key, node = next(((key, value) for key, value in node.value if key.value == step), (None, None))
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        else:
            node = None
    if key is None or node is None:
        raise _cannot(path)
    return key, node


def _last_line(node: Any) -> int:
    """The last line of a value: a block ends where the next token begins."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        return int(node.end_mark.line)
    parts = [part for each in node.value for part in (each if isinstance(each, tuple) else (each,))]
    return max(map(_last_line, parts))


def _value(node: Any) -> Any:
    """The value of a node, its scalars as text."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(each) for each in node.value]
    return node.value


def _key(item: Any) -> str:
    return json.dumps(item, sort_keys=True)


def as_text(items: Any) -> list[str]:
    """Items in an order and a form in which two lists can be compared."""
    return sorted(map(_key, items))


def _loaded(text: str) -> Any:
    return _value(yaml.compose(text, Loader=Loader))


def _at(text: str, path: KeyPath) -> Any:
    value = _loaded(text)
    for step in path:
        value = value[step]
    return value


def _without(tree: Any, path: KeyPath) -> Any:
    inner = tree
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return tree


def _cannot(path: KeyPath) -> ToolkitError:
    return ToolkitError(
        f"{format_path(path)} cannot be edited without changing more than its value", hint="write it in an editor"
    )
