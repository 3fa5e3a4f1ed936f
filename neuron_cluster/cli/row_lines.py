"""The rows of a table below each other, for tables whose words do not fit side by side."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.text import printable
from neuron_cluster.report.wrapped import held, wrapped_lines
from neuron_cluster.table import Table

INDENT, GAP = "  ", "  "
LONGEST_LABEL = 28
"""Columns that a first cell may take where it is the label of the only other one."""


def row_lines(table: Table, width: int) -> list[str]:
    """The first cell of each row, and below it the other cells next to their titles; empty cells are left out.

    In a table of two columns the second cell is next to the first one.
    A word or a command that is longer than ``width`` is on a line of its own, unbroken and not indented.
    """
    if len(table.columns) == len(("label", "value")):
        return ["", *_pair_lines(table, width), ""]
    titles = [" ".join(title.split()) for title in table.columns]
    widest = max(map(len, titles[1:]), default=0)
    lines: list[str] = []
    for row in table.rows:
        lines += ["", *_indented(printable(row[0]), width, INDENT)]
        for title, cell in zip(titles[1:], row[1:], strict=True):
            lines += _cell_lines(f"{INDENT * 2}{title:<{widest}}{GAP}", printable(cell), width)
    return [*lines, ""]


def _pair_lines(table: Table, width: int) -> Iterator[str]:
    """A long first cell has a line for itself."""
    labels = [printable(first) for first, _ in table.rows]
    widest = max((len(label) for label in labels if len(label) <= LONGEST_LABEL), default=0)
    for label, (_, cell) in zip(labels, table.rows, strict=True):
        if len(label) > widest or "\n" in label:
            yield from _indented(label, width, INDENT)
            label = ""  # noqa: PLW2901 - the cell begins below it
        yield from _cell_lines(f"{INDENT}{label:<{widest}}{GAP}", printable(cell), width)


def _cell_lines(label: str, cell: str, width: int) -> Iterator[str]:
    """Yields the lines of a cell; one with a word that does not fit next to the label begins below it."""
    if _longest_word(cell) > width - len(label):
        if label.strip():
            yield label.rstrip()
        yield from _indented(cell, width, INDENT * 3)
        return
    for line in wrapped_lines(cell, width - len(label)):
        yield f"{label}{line}"
        label = " " * len(label)


def _indented(text: str, width: int, indent: str) -> list[str]:
    """Indented less where a word needs the room."""
    return wrapped_lines(text, width, indent[: max(0, width - _longest_word(text))])


def _longest_word(text: str) -> int:
    """A command in backticks counts as one."""
    return max(map(len, held(text).split()), default=0)
