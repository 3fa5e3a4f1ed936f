"""A document as Markdown (https://spec.commonmark.org/0.31.2/, with the tables of GitHub)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.pages.document import (
    Block,
    Commands,
    Document,
    Drawing,
    Facts,
    Folded,
    Items,
    Paragraph,
    Steps,
    Verbatim,
)
from neuron_cluster.table import Table

INDENT = "   "
"""Indentation of lines that belong to a step."""
RAW = str.maketrans({"<": "&lt;", ">": "&gt;"})
"""HTML in a text is not one of ours."""
LITERAL = {ord(mark): f"\\{mark}" for mark in "\\`*_[]"}
"""Characters of Markdown in a text without marks."""


def markdown_of(document: Document) -> str:
    """The whole page."""
    blocks = [f"# {_text(document.title)}", _text(document.lead)]
    for section in document.sections:
        blocks += [f"## {_text(section.title)}", *_blocks(section.blocks)]
    return "\n\n".join(blocks) + "\n"


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph(text) | Drawing(text=text):
                yield _text(text)
            case Facts(facts):
                yield "\n".join(f"- {_text(name)}: {_text(value)}" for name, value in facts)
            case Items(items):
                yield "\n".join(f"- **{_text(title)}** {' '.join(map(_text, lines))}" for title, lines in items)
            case Folded(title, folded):
                yield f"**{_text(title)}**"
                yield from _blocks(folded)
            case Commands(lines):
                yield _shell(lines)
            case Steps(steps):
                yield "\n\n".join(_step(number, step, lines) for number, (step, lines) in enumerate(steps, 1))
            case Table():
                yield _table(block)
                if block.note:
                    yield _text(block.note)


def _step(number: int, text: str, lines: tuple[str, ...]) -> str:
    parts = [f"{number}. {_text(text)}", *([_shell(lines)] if lines else [])]
    first, *rest = "\n\n".join(parts).split("\n")
    return "\n".join([first, *(f"{INDENT}{line}" if line else "" for line in rest)])


def _shell(lines: tuple[str, ...]) -> str:
    return "\n".join(["```sh", *lines, "```"])


def _table(table: Table) -> str:
    lines = [_row(table.columns), _row(["---"] * len(table.columns)), *map(_row, table.rows)]
    return "\n".join([f"**{_text(table.title)}**", "", *lines])


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(_text(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _text(text: str) -> str:
    """Outside of code: Markdown shows entities inside of it as they are."""
    if isinstance(text, Verbatim):
        return text.translate(RAW | LITERAL).replace("\n", "<br>")
    parts = text.split("`")
    return "`".join(part if number % 2 else part.translate(RAW) for number, part in enumerate(parts))
