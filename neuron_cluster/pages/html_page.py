"""A document as one HTML page: no script, nothing from elsewhere, light and dark, for wide and narrow screens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from neuron_cluster.pages.document import (
    Block,
    Commands,
    Document,
    Drawing,
    Facts,
    Folded,
    Items,
    Paragraph,
    Section,
    Steps,
    Verbatim,
)
from neuron_cluster.pages.style import STYLE
from neuron_cluster.table import Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
COLUMN_REM = 7
"""Least width of a column on average: a table with many of them scrolls on a narrow screen."""
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


def html_of(document: Document) -> str:
    """The whole page; its anchors are the numbers of the sections."""
    numbered = list(enumerate(document.sections, 1))
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(_plain(document.title))}</title>",
        f"<style>\n{STYLE}{document.style}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#main">Skip to the content</a>',
        f'<header><h1>{_inline(document.title)}</h1><p class="lead">{_inline(document.lead)}</p></header>',
        '<nav aria-label="Contents"><ul>',
        *(f'<li><a href="#part-{number}">{_inline(section.title)}</a></li>' for number, section in numbered),
        "</ul></nav>",
        '<main id="main">',
        *(line for number, section in numbered for line in _section(number, section)),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _section(number: int, section: Section) -> Iterator[str]:
    yield f'<section aria-labelledby="part-{number}">'
    yield f'<h2 id="part-{number}">{_inline(section.title)}</h2>'
    yield from _blocks(section.blocks)
    yield "</section>"


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Paragraph(text):
                yield f"<p>{_inline(text)}</p>"
            case Facts() | Items():
                yield _list(block)
            case Drawing(svg):
                yield f'<figure class="drawing">\n{svg}</figure>'
            case Folded(title, folded):
                yield f"<details><summary>{_inline(title)}</summary>"
                yield from _blocks(folded)
                yield "</details>"
            case Commands(commands):
                yield _shell(commands)
            case Steps(items):
                yield "<ol>"
                for text, commands in items:
                    yield f"<li>{_inline(text)}{_shell(commands) if commands else ''}</li>"
                yield "</ol>"
            case Table():
                yield from _table(block)


def _list(block: Facts | Items) -> str:
    if isinstance(block, Facts):
        pairs = (f"<div><dt>{_inline(name)}</dt><dd>{_inline(value)}</dd></div>" for name, value in block.items)
        return f'<dl class="facts">{"".join(pairs)}</dl>'
    items = (f"<li><strong>{_inline(title)}</strong>{_lines(text)}</li>" for title, text in block.items)
    return f'<ul class="items">{"".join(items)}</ul>'


def _lines(texts: Sequence[str]) -> str:
    return "".join(f"<div>{_inline(text)}</div>" for text in texts)


def _table(table: Table) -> Iterator[str]:
    """It scrolls by itself where the screen is narrower, with the keyboard too."""
    yield f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(_plain(table.title))}">'
    least = len(table.columns) * COLUMN_REM
    yield f'<table style="min-width:max(100%,{least}rem)"><caption>{_inline(table.title)}</caption>'
    classes = [' class="number"' if is_number else "" for is_number in table.number_columns()]
    titles = "".join(
        f'<th scope="col"{css}>{_inline(cell)}</th>' for cell, css in zip(table.columns, classes, strict=True)
    )
    yield f"<thead><tr>{titles}</tr></thead>"
    yield "<tbody>"
    for first, *rest in table.rows:
        cells = "".join(f"<td{css}>{_inline(cell)}</td>" for cell, css in zip(rest, classes[1:], strict=True))
        yield f'<tr><th scope="row"{classes[0]}>{_inline(first)}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    if table.note:
        yield f"<p>{_inline(table.note)}</p>"


def _shell(lines: Sequence[str]) -> str:
    text = escape("\n".join(lines))
    return f'<pre role="group" tabindex="0" aria-label="Commands"><code>{text}</code></pre>'


def _inline(text: str) -> str:
    if isinstance(text, Verbatim):
        return escape(text).replace("\n", "<br>")
    parts = text.split("`")
    return "".join(
        f"<code>{escape(part)}</code>" if number % 2 else _LINK.sub(r'<a href="\2">\1</a>', escape(part))
        for number, part in enumerate(parts)
    )


def _plain(text: str) -> str:
    """Returns the text of titles and labels, which have no elements."""
    return text if isinstance(text, Verbatim) else _LINK.sub(r"\1", text).replace("`", "")
