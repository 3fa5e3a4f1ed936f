"""Options of a program in its words, written ``--name=value`` or as two words."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 9
"""Digits of a number that is read."""


def option_of(words: Sequence[str], *names: str) -> str | None:
    """The value of the first option with one of the names; empty for one at the end, None without it."""
    for position, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else "".join(words[position + 1 : position + 2])
    return None


def whole_option(words: Sequence[str], *names: str) -> int | None:
    """A number above 0; None for another value, which the program reports."""
    found = option_of(words, *names)
    return int(found) if found is not None and found.isdecimal() and len(found) <= LONGEST and int(found) else None
