"""Tables with rich. Apart from ``terminal`` so that findings are printed without importing rich."""

from __future__ import annotations

import io
from collections.abc import Sequence
from operator import ge, lt
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from neuron_cluster.cli.row_lines import row_lines
from neuron_cluster.findings.text import printable
from neuron_cluster.report.wrapped import held, released, wrapped_lines
from neuron_cluster.table import Table
from neuron_cluster.toolkit_files import page_commands

GAP = "   "
"""Between two columns."""


def console(stream: TextIO, width: int, *, colour: bool) -> Console:
    """A console that writes nothing but text when there is to be no colour."""
    return Console(
        file=stream,
        width=width,
        no_color=not colour,
        force_terminal=colour,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )


def table_text(table: Table, width: int, *, colour: bool, may_be_wider: bool = False) -> str:
    """A table and its note as text, without spaces at the ends of lines; no name and no command is broken.

    A table whose words do not fit next to each other is a list of its rows; with ``may_be_wider``, for files and pipes
    in which rows are searched for, it is wider than ``width``.
    """
    text, shown = io.StringIO(), _held(table)
    widths = _column_widths(shown, width)
    total = sum(widths) + len(GAP) * len(widths)
    target = console(text, max(width, total), colour=colour)
    _print_lines(target, wrapped_lines(printable(table.title), width), "bold")
    if total > width and not may_be_wider:
        _print_lines(target, row_lines(table, width), "")
    else:
        target.print(_rendered(shown, widths))
    _print_lines(target, wrapped_lines(printable(table.note), width), "dim")
    return "\n".join(line.rstrip() for line in released(text.getvalue()).splitlines()) + "\n"


def table_with_page_commands(table: Table) -> Table:
    """The table with the commands that print the pages which its cells and its note name."""
    rows = tuple(tuple(map(page_commands, row)) for row in table.rows)
    return Table(table.title, table.columns, rows, page_commands(table.note))


def _print_lines(target: Console, lines: Sequence[str], style: str) -> None:
    """Lines that are broken already: rich breaks and cuts none."""
    for line in lines:
        target.print(Text(line, style=style), soft_wrap=True)


def _held(table: Table) -> Table:
    """The table with printable cells in which no line is broken inside backticks."""
    rows = tuple(tuple(held(printable(cell)) for cell in row) for row in table.rows)
    return Table(table.title, table.columns, rows)


def _column_widths(table: Table, width: int) -> list[int]:
    """Columns for each column: its longest word, and what is left over for whole lines.

    That goes to the first ones first, or in equal parts where fewer lines are printed.
    """
    cells = list(zip(table.columns, *table.rows, strict=True))
    lines = [max((len(line) for cell in column for line in cell.splitlines()), default=0) for column in cells]
    longest_words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in cells]
    spare = width - sum(longest_words) - len(GAP) * len(longest_words)
    first = _with_spare(longest_words, lines, spare, equally=False)
    if spare <= 0 or all(map(ge, first, lines)):
        return first
    return min(first, _with_spare(longest_words, lines, spare, equally=True), key=lambda widths: _height(table, widths))


def _with_spare(smallest: Sequence[int], lines: Sequence[int], spare: int, *, equally: bool) -> list[int]:
    widths, position = list(smallest), 0
    while spare > 0 and any(map(lt, widths, lines)):
        more = max(0, min(1 if equally else spare, lines[position] - widths[position]))
        widths[position] += more
        spare -= more
        position = (position + 1) % len(widths)
    return widths


def _height(table: Table, widths: Sequence[int]) -> int:
    """Lines of all rows."""
    rows = (table.columns, *table.rows)
    return sum(
        max((_line_count(cell, width) for cell, width in zip(row, widths, strict=True)), default=0) for row in rows
    )


def _line_count(cell: str, width: int) -> int:
    count = 0
    for line in cell.splitlines():
        used = width
        for word in line.split():
            fits = used + 1 + len(word) <= width
            used = used + 1 + len(word) if fits else len(word)
            count += not fits
    return count


def _rendered(table: Table, widths: list[int]) -> RichTable:
    """Columns of numbers are right-aligned; long cells wrap between words."""
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for title, width, is_number in zip(table.columns, widths, table.number_columns(), strict=True):
        drawn.add_column(Text(title), justify="right" if is_number else "left", overflow="fold", width=width)
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn
