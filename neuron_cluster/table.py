"""A table as data: what ``report`` and ``deploy`` say and the command line prints."""

from __future__ import annotations

from msgspec import Struct


class Table(Struct, frozen=True):
    """Rows of text under column titles. ``note`` stands below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
