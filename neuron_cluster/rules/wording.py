"""How rules speak: lists with "and", and values that fit on a line."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 60
"""Characters of a user's own text that a message repeats."""


def listed(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    *first, end = [str(word) for word in words] or ["none"]
    return f"{', '.join(first)} {last} {end}" if first else end


def quoted(text: str) -> str:
    """A free text of the file as it can stand in a message: printable, short, on one line."""
    shown = printable(text)
    return f'"{shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"}"'


def printable(text: str) -> str:
    """A text with a mark in the place of each character that a terminal does not show."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
