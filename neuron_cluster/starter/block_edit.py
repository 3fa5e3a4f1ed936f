"""Edits of the keys of one mapping in YAML text, with the comments above them. Everything else stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from neuron_cluster.config.document import Loader
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.errors import ToolkitError

Lines = Sequence[str]
"""The lines of a key with its comments, without the indentation; none to remove the key."""


def with_keys(text: str, path: KeyPath, keys: Mapping[str, Lines], *, after: str | None = None) -> str:
    """The text with other lines for these keys of the mapping. A key that is new follows the one before it in ``keys``,
    the first one ``after``, else the first key of the mapping.

    The first key of an item of a list follows a hyphen and cannot be edited. Raises ``ToolkitError`` for a mapping in
    braces.
    """
    mapping = node_at(text, path)
    if not isinstance(mapping, yaml.MappingNode) or mapping.flow_style:
        raise ToolkitError(f"{format_path(path)} of the template cannot be edited", hint="edit the file after `new`")
    lines = text.splitlines()
    places = {key.value: _place(lines, key, value) for key, value in mapping.value}
    indent = " " * mapping.value[0][0].start_mark.column
    edits, last = [], places[after or mapping.value[0][0].value][1]
    for key, made in keys.items():
        start, end = places.get(key, (last, last))
        edits.append((start, end, [f"{indent}{line}" for line in made]))
        last = end
    for _, (start, end, made) in sorted(enumerate(edits), key=lambda each: (each[1][:2], each[0]), reverse=True):
        lines[start:end] = made  # from the end, so that the places before stay valid
    return "\n".join(lines) + "\n"


def without_comment(text: str, line: int) -> str:
    """The text without the comment that ends above a line, which counts from 0."""
    lines = text.splitlines()
    del lines[_comment(lines, line) : line]
    return "\n".join(lines) + "\n"


def without_item(text: str, path: KeyPath) -> str:
    """The text without an item of a list, its comment, and the blank line above it."""
    lines, item = text.splitlines(), node_at(text, path)
    start, end = _place(lines, item, item)
    if start and not lines[start - 1].strip():
        start -= 1
    del lines[start:end]
    return "\n".join(lines) + "\n"


def node_at(text: str, path: KeyPath) -> Any:
    """The YAML node at a path of the text; None where there is none."""
    node = yaml.compose(text, Loader=Loader)
    for step in path:
        if isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == step), None)
        else:
            node = node.value[step] if isinstance(node, yaml.SequenceNode) and isinstance(step, int) else None
    return node


def _place(lines: Sequence[str], key: Any, value: Any) -> tuple[int, int]:
    """The first line of a key with its comment, and the line after its value."""
    return _comment(lines, key.start_mark.line), 1 + max(key.start_mark.line, *_ends(value))


def _comment(lines: Sequence[str], line: int) -> int:
    while line and lines[line - 1].lstrip().startswith("#"):
        line -= 1
    return line


def _ends(node: Any) -> Iterator[int]:
    """Last lines of the scalars of a node, which has no comments after them, and of what is in brackets."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style:
        yield node.end_mark.line
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _ends(value)
    else:
        for value in node.value:
            yield from _ends(value)
