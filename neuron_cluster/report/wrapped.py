"""Text in lines of a width, in which text in backticks is never broken: commands are copied line by line."""

from __future__ import annotations

import re
import textwrap

_SPAN = re.compile(r"`[^`]+`")
_HELD = "\ue000"
"""Stands for a space inside backticks while lines are broken; no printable text holds it (private use)."""


def held(text: str) -> str:
    """The text with spaces inside backticks that no line is broken at."""
    return _SPAN.sub(lambda span: span[0].replace(" ", _HELD), text)


def released(text: str) -> str:
    """A text of ``held`` with its spaces."""
    return text.replace(_HELD, " ")


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most ``width`` columns, indented by ``first``, then ``rest``; longer words and spans stay whole."""
    lines = textwrap.wrap(
        held(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [released(line) for line in lines]


def wrapped_lines(text: str, width: int, indent: str = "") -> list[str]:
    """As ``wrapped``, each line of the text by itself."""
    return [part for line in text.splitlines() for part in wrapped(line, width, indent, indent)]
