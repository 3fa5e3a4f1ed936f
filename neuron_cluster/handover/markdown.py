"""A document as Markdown (https://spec.commonmark.org/0.31.2/, with the tables of GitHub)."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.handover.document import Commands, Document, Paragraph, Section, Steps
from neuron_cluster.table import Table

INDENT = "   "
"""Of what belongs to a step."""
RAW = str.maketrans({"<": "&lt;", ">": "&gt;"})
"""HTML in a text is not one of ours."""


def markdown_of(document: Document) -> str:
    """The whole page."""
    blocks = [f"# {_text(document.title)}", _text(document.lead)]
    for section in document.sections:
        blocks += [f"## {_text(section.title)}", *_blocks(section)]
    return "\n\n".join(blocks) + "\n"


def _blocks(section: Section) -> Iterator[str]:
    for block in section.blocks:
        match block:
            case Paragraph(text):
                yield _text(text)
            case Commands(lines):
                yield _shell(lines)
            case Steps(items):
                yield "\n\n".join(_step(number, words, lines) for number, (words, lines) in enumerate(items, 1))
            case Table():
                yield _table(block)
                if block.note:
                    yield _text(block.note)


def _step(number: int, words: str, lines: tuple[str, ...]) -> str:
    parts = [f"{number}. {_text(words)}", *([_shell(lines)] if lines else [])]
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
    parts = text.split("`")
    return "`".join(part if number % 2 else part.translate(RAW) for number, part in enumerate(parts))
