"""A document as one HTML page: no script, nothing from elsewhere, light and dark, for wide and narrow screens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from neuron_cluster.handover.document import Commands, Document, Paragraph, Section, Steps
from neuron_cluster.table import Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """\
:root{color-scheme:light dark;--text:#1b2733;--soft:#4a5a6a;--back:#fff;--box:#f2f5f8;--line:#aebac6;--link:#0b57b0}
@media (prefers-color-scheme:dark){:root{--text:#e6ebf0;--soft:#b3c0cc;--back:#12181f;--box:#1d2630;--line:#56667a;
--link:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:66rem;padding:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--text);
background:var(--back);overflow-wrap:break-word}
h1{font-size:1.7rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2rem 0 .6rem;padding-top:.8rem;border-top:1px solid var(--line)}
.lead{color:var(--soft);margin-top:0}
a{color:var(--link)}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
nav ul{columns:2 14rem;padding-left:1.2rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace}
code{background:var(--box);padding:.05rem .25rem;border-radius:.2rem;overflow-wrap:anywhere}
pre{background:var(--box);border:1px solid var(--line);border-radius:.4rem;padding:.7rem;overflow-x:auto}
pre code{padding:0;background:none}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;min-width:100%}
caption{text-align:left;font-weight:600;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border:1px solid var(--line)}
th code,td code{overflow-wrap:normal;white-space:nowrap}
thead th{background:var(--box)}
ol>li{margin:.8rem 0}
@media (max-width:40rem){body{padding:.7rem}h1{font-size:1.4rem}th,td{padding:.3rem .4rem}}
@media print{nav,.skip{display:none}pre{white-space:pre-wrap}.scroll{overflow:visible}}
"""
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
        f"<style>\n{STYLE}</style>",
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
    for block in section.blocks:
        match block:
            case Paragraph(text):
                yield f"<p>{_inline(text)}</p>"
            case Commands(lines):
                yield _shell(lines)
            case Steps(items):
                yield "<ol>"
                for words, lines in items:
                    yield f"<li>{_inline(words)}{_shell(lines) if lines else ''}</li>"
                yield "</ol>"
            case Table():
                yield from _table(block)
    yield "</section>"


def _table(table: Table) -> Iterator[str]:
    """It scrolls by itself where the screen is narrower, with the keyboard too."""
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(_plain(table.title))}">'
    yield f"<table><caption>{_inline(table.title)}</caption>"
    titles = "".join(f'<th scope="col">{_inline(cell)}</th>' for cell in table.columns)
    yield f"<thead><tr>{titles}</tr></thead>"
    yield "<tbody>"
    for first, *rest in table.rows:
        cells = "".join(f"<td>{_inline(cell)}</td>" for cell in rest)
        yield f'<tr><th scope="row">{_inline(first)}</th>{cells}</tr>'
    yield "</tbody></table></div>"
    if table.note:
        yield f"<p>{_inline(table.note)}</p>"


def _shell(lines: Sequence[str]) -> str:
    text = escape("\n".join(lines))
    return f'<pre role="region" tabindex="0" aria-label="Commands"><code>{text}</code></pre>'


def _inline(text: str) -> str:
    parts = text.split("`")
    return "".join(
        f"<code>{escape(part)}</code>" if number % 2 else _LINK.sub(r'<a href="\2">\1</a>', escape(part))
        for number, part in enumerate(parts)
    )


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("`", "")
