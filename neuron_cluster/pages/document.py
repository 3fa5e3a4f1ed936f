"""A page as data: sections of paragraphs, facts, tables, steps and commands, written as Markdown and as HTML.

Texts have two marks, which both forms know: ``code`` between backticks, and ``[words](target)`` for a link to a file of
the pack. A ``Verbatim`` text has none.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from neuron_cluster.table import Table


class Verbatim(str):
    """A text that is shown unchanged, with its backticks and brackets."""

    __slots__ = ()


class Paragraph(Struct, frozen=True):
    text: str


class Commands(Struct, frozen=True):
    """Lines for a shell."""

    lines: tuple[str, ...]


class Steps(Struct, frozen=True):
    """A numbered list; each step has words and the commands that carry it out."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


class Facts(Struct, frozen=True):
    """Names with their values, the most important ones of a page."""

    items: tuple[tuple[str, str], ...]


class Items(Struct, frozen=True):
    """A list; each item has a title and lines below it."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


class Drawing(Struct, frozen=True):
    """SVG elements of the toolkit itself, one for each width of the screen; ``text`` is the same in words."""

    svg: str
    text: str


class Folded(Struct, frozen=True):
    """Blocks that a reader opens."""

    title: str
    blocks: tuple[Paragraph | Commands | Steps | Facts | Items | Table, ...]


Block = Paragraph | Commands | Steps | Facts | Items | Table | Drawing | Folded


class Section(Struct, frozen=True):
    title: str
    blocks: tuple[Block, ...]


class Document(Struct, frozen=True):
    title: str
    lead: str
    sections: tuple[Section, ...]
    style: str = ""
    """Rules of CSS in addition to those of every page."""


def literal(text: str) -> str:
    """A user's text without the two marks, on one line."""
    return " ".join(text.split()).translate({ord("`"): "'", ord("["): "(", ord("]"): ")"})


def without_links(text: str) -> str:
    """Commands keep the marks of code; what looks like a link is a text of the user."""
    return Verbatim(text) if "](" in text else text


def verbatim(table: Table) -> Table:
    """The same table with texts that have no marks; its note, which the toolkit wrote, keeps those of code."""
    return Table(
        Verbatim(table.title), _verbatim(table.columns), tuple(map(_verbatim, table.rows)), without_links(table.note)
    )


def _verbatim(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(Verbatim, texts))
