"""Text of messages: lists of words, numbers with a noun, and characters that a terminal cannot show."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 60
"""Characters of a user's own text that a message repeats."""
GB, TB = 10**9, 10**12
SECONDS_UP_TO, MINUTES_UP_TO = 120, 7200
"""From so many seconds on a time is shown in the next larger unit."""


def listed(texts: Iterable[object], last: str = "and") -> str:
    """``a, b and c``; ``none`` without words."""
    *first, end = [str(word) for word in texts] or ["none"]
    return f"{', '.join(first)} {last} {end}" if first else end


def counted(number: int, noun: str) -> str:
    """``1 offering``, ``2 offerings``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def size_text(size: float) -> str:
    """Bytes in GB, from one TB on in TB."""
    return f"{size / TB:,.2f} TB" if size >= TB else f"{size / GB:,.1f} GB"


def time_text(seconds: float) -> str:
    """In seconds, minutes or hours."""
    if seconds < SECONDS_UP_TO:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < MINUTES_UP_TO else f"{seconds / 3600:,.1f} h"


def shortened(text: str, longest: int = LONGEST) -> str:
    """At most ``longest`` characters."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quoted(text: str) -> str:
    """A free text of the file as a message shows it: printable, short, on one line."""
    return f'"{shortened(on_one_line(text))}"'


def on_one_line(text: str) -> str:
    """A text with a mark in the place of each character that a terminal does not show; line ends too."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def printable(text: str) -> str:
    """The text with control characters written out: they could rewrite the reader's terminal. Line ends stay."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def confusable_character(text: str) -> str:
    """``a no-break space``: the first character that looks like another one or like nothing; empty without any.

    Such characters come with text that is copied from a page.
    """
    import unicodedata  # only a wrong text pays for this import

    for character in text:
        if character.isprintable() or character.isascii():
            continue
        name = unicodedata.name(character, f"character U+{ord(character):04X}")
        return f"a {name.lower() if name.isupper() else name}"
    return ""
