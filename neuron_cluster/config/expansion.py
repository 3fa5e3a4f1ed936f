"""An environment file and its bases as one YAML file: each value with the file and the line that it is written on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from neuron_cluster.config.bases import FileWithBases
from neuron_cluster.config.environment_config import EXTENDS
from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.scalars import Quoted
from neuron_cluster.config.source_map import KeyPath, SourceMap, format_path

WIDTH = 80
"""Columns. The comment of a line that would be longer is above it."""
INDENT = "  "
SCHEMA_LINE = "# yaml-language-server: $schema=environment.schema.json"
FIRST_KEYS = ("schema", "name", "kind")
"""Keys by which a reader recognizes a mapping."""
PLAIN = re.compile(r"(?!.*: )(?!.*[: ]\Z)[A-Za-z0-9_./][A-Za-z0-9_./+=@:() -]*\Z|[-+][0-9.][0-9.eE+-]*\Z|~\Z")
"""Texts that are the same value without quotes, in a key too."""


class ExpandedValue(Struct, frozen=True):
    """A scalar, or an empty mapping or list. ``value`` has the text of the file, whose type is that of its key."""

    path: str
    value: Any
    file: str
    line: int
    column: int


class RemovedKey(Struct, frozen=True):
    """A key of a base, and where a file that extends it has it with the value null."""

    path: str
    file: str
    line: int
    column: int


class _Line(Struct):
    """One line of the YAML text. ``path`` is that of its value; None where the lines below have it."""

    text: str
    path: KeyPath | None = None


def expanded_values(read: FileWithBases) -> list[ExpandedValue]:
    """Every value in the order of ``expanded_text``; ``read`` has a mapping."""
    source = read.document.source
    found = []
    for line in _lines_of_keys(_without_extends(read), (), ""):
        if line.path is not None:
            place = source.locate(line.path)
            value = _value_at(read.document.tree, line.path)
            found.append(ExpandedValue(place.path, value, place.file, place.line, place.column))
    return found


def removed_keys(read: FileWithBases) -> list[RemovedKey]:
    """The keys of bases that the environment file or another base removes."""
    source = read.document.source
    return [RemovedKey(format_path(path), source.origin(path).file, *place) for path, place in source.removed.items()]


def expanded_text(read: FileWithBases) -> str:
    """An environment file without a base that has the same plan; ``read`` has a mapping."""
    source = read.document.source
    lines = list(_lines_of_keys(_without_extends(read), (), ""))
    comments = {position: _comment(source, line.path) for position, line in enumerate(lines) if line.path is not None}
    fitting = {at: len(lines[at].text) for at, note in comments.items() if len(lines[at].text) + 2 + len(note) <= WIDTH}
    widest = max((len(comments[at]) for at in fitting), default=0)
    column = min(max(fitting.values(), default=0), WIDTH - 2 - widest)
    written = [SCHEMA_LINE, *(f"# removed: {each.path}  {_shown_place(source, each)}" for each in removed_keys(read))]
    for at, line in enumerate(lines):
        note = comments.get(at)
        if note is not None and at not in fitting:
            written.append(f"{line.text[: len(line.text) - len(line.text.lstrip())]}{note}")
        written.append(line.text if at not in fitting else f"{line.text:<{column}}  {note}")
    return "\n".join(written) + "\n"


def _without_extends(read: FileWithBases) -> dict[str, Any]:
    return {key: value for key, value in read.document.tree.items() if key != EXTENDS}


def _comment(source: SourceMap, path: KeyPath) -> str:
    place = source.locate(path)
    return f"# {_beside(source, place.file)}:{place.line}"


def _shown_place(source: SourceMap, removed: RemovedKey) -> str:
    return f"{_beside(source, removed.file)}:{removed.line}"


def _beside(source: SourceMap, file: str) -> str:
    """The name of a file from the folder of the environment file on, as ``extends`` has it."""
    return os.path.relpath(file, Path(source.file).parent)


def _value_at(tree: Any, path: KeyPath) -> Any:
    for part in path:
        tree = tree[part]
    return tree


def _lines_of_keys(tree: dict[str, Any], path: KeyPath, indent: str) -> Iterator[_Line]:
    """Name or kind, the other keys of the model in its order, then those that are free."""
    known = [key for key in (*FIRST_KEYS, *fields_at(path)) if key in tree]
    for key in dict.fromkeys([*known, *tree]):
        yield from _lines_of(f"{indent}{_scalar(key)}:", tree[key], (*path, key), f"{indent}{INDENT}")


def _lines_of(head: str, value: Any, path: KeyPath, indent: str) -> Iterator[_Line]:
    """``head`` with a value behind it or below it; ``indent`` is that of the lines below."""
    if not value or isinstance(value, str):
        yield _Line(head if value is None else f"{head} {_flat(value)}", path)
    elif isinstance(value, dict):
        yield _Line(head)
        yield from _lines_of_keys(value, path, indent)
    else:
        yield _Line(head)
        for position, item in enumerate(value):
            yield from _lines_of_item(item, (*path, position), indent)


def _lines_of_item(item: Any, path: KeyPath, indent: str) -> Iterator[_Line]:
    if not isinstance(item, dict) or not item:
        yield from _lines_of(f"{indent}-", item, path, f"{indent}{INDENT}")
        return
    first, *rest = _lines_of_keys(item, path, f"{indent}{INDENT}")
    yield _Line(f"{indent}- {first.text.lstrip()}", first.path)
    yield from rest


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return "{}"
    return "[]" if isinstance(value, list) else _scalar(value)


def _scalar(text: str) -> str:
    """The text of a scalar: with quotes where the file has them, and where it would be another value without them."""
    if not isinstance(text, Quoted) and PLAIN.match(text):
        return text
    quoted: str = yaml.dump(str(text), Dumper=yaml.SafeDumper, default_style='"', width=float("inf"))
    return quoted.rstrip("\n")
