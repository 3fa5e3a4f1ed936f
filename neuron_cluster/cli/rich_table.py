"""Tables with rich. Apart from ``terminal`` so that findings are printed without importing rich."""

from __future__ import annotations

import io
import re
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from neuron_cluster.findings.text import printable
from neuron_cluster.table import Table

_NUMBER = re.compile(r"((?:at least )?\$?[0-9][0-9,.]*)( \*)?|-|not known|unknown|")
_ID = re.compile(r"[a-z]+-[0-9a-f]{17}|-|")
"""Ids of EC2 and FSx, which people copy: they are not broken into two lines."""
GAP = "   "
"""Between two columns."""
MIN_READABLE_WIDTH = 6
"""Characters that a column of words gets."""


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


def table_text(table: Table, width: int, *, colour: bool, whole_words: bool = False) -> str:
    """A table and its note as text, without spaces at the ends of lines.

    With ``whole_words`` it is wider than ``width`` where a word would be broken otherwise: for files and pipes, in
    which names are searched for.
    """
    text = io.StringIO()
    widths = _widths_of_whole_words(table, width) if whole_words else None
    if widths is not None:
        width = max(width, sum(widths) + len(GAP) * len(widths))
    target = console(text, width, colour=colour)
    target.print(rendered(table, width, widths))
    if table.note:
        target.print(Text(printable(table.note), style="dim"))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _widths_of_whole_words(table: Table, width: int) -> list[int]:
    """Columns for each column: its longest word, and what is left over for whole lines, to the first ones first."""
    cells = list(zip(table.columns, *table.rows, strict=True))
    lines = [max((len(line) for cell in column for line in cell.splitlines()), default=0) for column in cells]
    words = [max((len(word) for cell in column for word in cell.split()), default=0) for column in cells]
    widths = [lines[0], *words[1:]]
    spare = width - sum(widths) - len(GAP) * len(widths)
    for position, line in enumerate(lines):
        more = max(0, min(spare, line - widths[position]))
        widths[position] += more
        spare -= more
    return widths


def rendered(table: Table, width: int, widths: list[int] | None = None) -> RichTable:
    """Columns of numbers are right-aligned; long cells wrap, first names beyond two thirds of the width, ids never."""
    drawn = RichTable(
        title=Text(printable(table.title), style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1),
    )
    whole, widest_name = _id_columns(table, width), width * 2 // 3
    for position, title in enumerate(table.columns):
        cells = [row[position] for row in table.rows]
        is_number = bool(cells) and any(cells) and all(_NUMBER.fullmatch(cell) for cell in cells)
        is_name = (
            position == 0 and max((len(line) for cell in cells for line in cell.splitlines()), default=0) <= widest_name
        )
        drawn.add_column(
            Text(title),
            justify="right" if is_number else "left",
            overflow="fold",
            width=widths[position] if widths is not None else None,
            no_wrap=is_name or position in whole,
        )
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn


def _id_columns(table: Table, width: int) -> set[int]:
    """Columns of ids; none where they would leave the others too little to be read, so that nothing is cut off."""
    columns = {position: [row[position] for row in table.rows] for position in range(len(table.columns))}
    found = {position for position, cells in columns.items() if position and all(map(_ID.fullmatch, cells))}
    fixed = {0, *found}
    needed = sum(max((len(cell) for cell in columns[position]), default=0) for position in fixed)
    left = width - needed - len(GAP) * len(columns) - MIN_READABLE_WIDTH * (len(columns) - len(fixed))
    return found if left >= 0 else set()
