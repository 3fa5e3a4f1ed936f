"""Text in lines of a width, in which text in backticks is never broken: commands are copied line by line."""

from __future__ import annotations

import re
import textwrap

_SPAN = re.compile(r"`[^`]+`")
_HELD = "\x00"
"""Stands for a space inside backticks while lines are broken; no printable text holds it."""


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most ``width`` columns, indented by ``first``, then ``rest``; longer words and spans stay whole."""
    held = _SPAN.sub(lambda span: span[0].replace(" ", _HELD), text)
    lines = textwrap.wrap(
        held,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_HELD, " ") for line in lines]
