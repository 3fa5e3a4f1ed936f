"""A page of text for the terminal: a sentence, paragraphs, facts in two columns, lists, an example."""

from __future__ import annotations

import textwrap

from msgspec import Struct

from neuron_cluster.findings.text import printable
from neuron_cluster.report.findings_text import NARROWEST, WIDEST
from neuron_cluster.report.wrapped import wrapped

LONGEST_LABEL = 34
"""Columns of the terminal that the left column may take; what follows a longer one begins on the next line."""

Pairs = tuple[tuple[str, str], ...]


class TextPage(Struct, frozen=True):
    """``heading`` names the subject, ``lead`` is one sentence about it; everything but the heading may be empty."""

    heading: str
    lead: str
    paragraphs: tuple[str, ...] = ()
    facts: Pairs = ()
    lists: tuple[tuple[str, Pairs], ...] = ()
    """Title, and a line for each member."""
    example: str = ""
    """YAML, printed as it is."""


def text_of(page: TextPage, width: int) -> str:
    """The page in lines of at most ``width`` columns; words longer than a line stay whole."""
    columns = max(NARROWEST, min(width, WIDEST))
    blocks = ["\n".join([page.heading, *_filled(page.lead, columns)])]
    blocks += ["\n".join(_filled(paragraph, columns)) for paragraph in page.paragraphs if paragraph]
    blocks += [_pairs(page.facts, columns, "")] if page.facts else []
    blocks += [
        "\n".join([*([title] if title else []), _pairs(members, columns, "  ")])
        for title, members in page.lists
        if members
    ]
    if page.example:
        blocks.append("example\n" + textwrap.indent(page.example.rstrip("\n"), "  "))
    return "\n\n".join(blocks) + "\n"


def _filled(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    return wrapped(printable(text), columns, first, rest)


def _pairs(pairs: Pairs, columns: int, indent: str) -> str:
    """Labels to the left, words to the right."""
    widest = max((len(label) for label, _ in pairs if len(label) <= LONGEST_LABEL), default=0)
    hanging = " " * (len(indent) + widest + 2)
    lines: list[str] = []
    for label, text in pairs:
        if len(label) > widest:
            lines += [f"{indent}{label}", *_filled(text, columns, hanging, hanging)]
        else:
            lines += _filled(text, columns, f"{indent}{label:<{widest}}  ", hanging) or [f"{indent}{label}"]
    return "\n".join(lines)
