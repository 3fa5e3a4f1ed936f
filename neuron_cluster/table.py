"""A table as data: ``report`` and ``deploy`` build it, the command line prints it."""

from __future__ import annotations

import re

from msgspec import Struct

NUMBER = re.compile(
    r"(?:at least |[<>])?\$?[0-9][0-9,.]*(?: ?%)?(?: [*?]| spot)?|[0-9,]+(?: ?/ ?(?:[0-9,]+|no limit))+"
)
"""An amount with currency, bound, percent sign and the mark of a doubt or default; or whole numbers with slashes."""
NO_NUMBER = ("", "-", "not known", "unknown", "no limit")
"""In the place of an amount."""


class Table(Struct, frozen=True):
    """Rows of text under column titles. ``note`` is printed below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def number_columns(self) -> tuple[bool, ...]:
        """Returns for each column whether it has only amounts: such columns are aligned to the right."""
        return tuple(_has_numbers([row[position] for row in self.rows]) for position in range(len(self.columns)))


def _has_numbers(cells: list[str]) -> bool:
    return any(cells) and all(cell in NO_NUMBER or NUMBER.fullmatch(cell) for cell in cells)
