"""The rows of a table below each other, for tables whose words do not fit side by side."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.text import printable
from neuron_cluster.report.wrapped import held, wrapped_lines
from neuron_cluster.table import Table

INDENT, GAP = "  ", "  "


def row_lines(table: Table, width: int) -> list[str]:
    """The first cell of each row, and below it the other cells beside their titles; empty cells are left out.

    A word or a command that is longer than ``width`` is on a line of its own, unbroken and not indented.
    """
    titles = [" ".join(title.split()) for title in table.columns]
    widest = max(map(len, titles[1:]), default=0)
    lines: list[str] = []
    for row in table.rows:
        lines += ["", *_indented(printable(row[0]), width, INDENT)]
        for title, cell in zip(titles[1:], row[1:], strict=True):
            lines += _cell_lines(f"{INDENT * 2}{title:<{widest}}{GAP}", printable(cell), width)
    return [*lines, ""]


def _cell_lines(label: str, cell: str, width: int) -> Iterator[str]:
    """A cell with a word that does not fit beside the label begins below it."""
    if _longest_word(cell) > width - len(label):
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
