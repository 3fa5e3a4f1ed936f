"""A page as data: sections of paragraphs, tables, steps and commands, written as Markdown and as HTML.

Texts have two marks, which both forms know: ``code`` between backticks, and ``[words](target)`` for a link to a file of
the pack.
"""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.table import Table


class Paragraph(Struct, frozen=True):
    text: str


class Commands(Struct, frozen=True):
    """Lines for a shell."""

    lines: tuple[str, ...]


class Steps(Struct, frozen=True):
    """A numbered list; each step has words and the commands that carry it out."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


class Section(Struct, frozen=True):
    title: str
    blocks: tuple[Paragraph | Commands | Steps | Table, ...]


class Document(Struct, frozen=True):
    title: str
    lead: str
    sections: tuple[Section, ...]


def literal(text: str) -> str:
    """A user's text without the two marks, on one line."""
    return " ".join(text.split()).translate({ord("`"): "'", ord("["): "(", ord("]"): ")"})
