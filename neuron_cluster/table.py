"""A table as data: ``report`` and ``deploy`` build it, the command line prints it."""

from __future__ import annotations

from msgspec import Struct


class Table(Struct, frozen=True):
    """Rows of text under column titles. ``note`` is printed below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
