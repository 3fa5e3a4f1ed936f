"""A data file of the catalog as text in which single values are replaced. Comments, order and all else stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from neuron_cluster.errors import ToolkitError

WIDTH = 118
Pairs = Mapping[str, str]


class DataFile:
    """Rows by name. Every edit is noted against the text as it was read; ``text`` makes them all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
        # The loader that leaves every scalar a text, in Python: its marks count characters.
        root = yaml.compose(self.before, Loader=yaml.BaseLoader)
        if not isinstance(root, SequenceNode):
            raise ToolkitError(f"{path} is not a list of rows")
        self._rows = {_field(row, "name")[1].value: row for row in cast("list[MappingNode]", root.value)}
        self._edits: list[tuple[int, int, str]] = []

    @property
    def text(self) -> str:
        """The file with all edits made."""
        text = self.before
        for start, end, new in sorted(self._edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def set_value(self, row: str, field: str, value: str) -> None:
        """Replaces a number, word or flow list; adds the field at the row's end when the row lacks it."""
        node = self._rows[row]
        if any(key.value == field for key, _ in node.value):
            _, old = _field(node, field)
            self._edits.append((old.start_mark.index, self._end_of(old), value))
        else:
            end = self._end_of(node)
            self._edits.append((end, end, f"\n{' ' * node.start_mark.column}{field}:{_spaced(value)}"))

    def set_pairs(self, row: str, field: str, pairs: Pairs) -> None:
        """Makes a mapping hold exactly these pairs. Lines of pairs that stay as they are stay as they are."""
        node = self._rows[row]
        key, old = _field(node, field) if any(key.value == field for key, _ in node.value) else (None, None)
        if isinstance(old, MappingNode) and not old.flow_style and pairs:
            self._edit_block(old, pairs)
            return
        indent = node.start_mark.column
        in_line = flow(pairs)
        fits = indent + len(f"{field}: {in_line}") <= WIDTH
        new = in_line if fits else "".join(f"\n{' ' * (indent + 2)}{_pair(*pair)}" for pair in pairs.items())
        if key is None or old is None:
            self.set_value(row, field, new)
        else:
            self._edits.append((key.end_mark.index + 1, self._end_of(old), _spaced(new)))

    def insert_row(self, text: str) -> None:
        """Puts a row before the first."""
        start = min(row.start_mark.index for row in self._rows.values())
        start = self.before.rindex("\n", 0, start) + 1 if "\n" in self.before[:start] else 0
        self._edits.append((start, start, f"{text}\n"))

    def _edit_block(self, node: MappingNode, pairs: Pairs) -> None:
        """Lines of their own, in the order of their keys."""
        indent = " " * node.start_mark.column
        old = {key.value: (key, value) for key, value in node.value}
        for name, (key, value) in old.items():
            start, end = key.start_mark.index - len(indent), self._end_of(value)
            if name not in pairs:
                self._edits.append((start, self.before.index("\n", end) + 1, ""))
            elif self.before[value.start_mark.index : end] != pairs[name]:
                self._edits.append((value.start_mark.index, end, pairs[name]))
        after_all = self.before.index("\n", self._end_of(node)) + 1
        for name in sorted(pairs.keys() - old.keys()):
            later = next((key.start_mark.index - len(indent) for each, (key, _) in old.items() if each > name), None)
            place = after_all if later is None else later
            self._edits.append((place, place, f"{indent}{_pair(name, pairs[name])}\n"))

    def _end_of(self, node: Node) -> int:
        """Where a value's own text ends: a block's mark stands behind the comments and empty lines that follow it."""
        if isinstance(node, (MappingNode, SequenceNode)) and not node.flow_style and node.value:
            last = node.value[-1]
            return self._end_of(last[1] if isinstance(node, MappingNode) else last)
        end = cast("int", node.end_mark.index)
        if isinstance(node, ScalarNode) and node.style in {"|", ">"}:
            return len(self.before[:end].rstrip())
        return end


def flow(pairs: Pairs) -> str:
    """``{a: 1, b: 2}``."""
    return f"{{{', '.join(_pair(*pair) for pair in pairs.items())}}}"


def flow_list(items: tuple[str, ...]) -> str:
    """``[a, b]``."""
    return f"[{', '.join(items)}]"


def _pair(name: str, value: str) -> str:
    """A key that looks like a number stands in quotes, as it is a text."""
    return f'"{name}": {value}' if re.fullmatch(r"[0-9.]+", name) else f"{name}: {value}"


def _spaced(value: str) -> str:
    return value if value.startswith("\n") else f" {value}"


def _field(row: MappingNode, field: str) -> tuple[ScalarNode, Node]:
    return next((key, value) for key, value in row.value if key.value == field)
