"""Blocks of the report in both forms, and texts that have no marks."""

from __future__ import annotations

from neuron_cluster.pages.document import (
    Document,
    Drawing,
    Facts,
    Folded,
    Items,
    Paragraph,
    Section,
    Verbatim,
    verbatim,
)
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.table import Table

EVIL = "`a` [b](javascript:c) <i>\nd"
PAGE = Document(
    Verbatim(EVIL),
    "Lead.",
    (
        Section(
            "First",
            (
                Facts((("Region", "us-west-2"),)),
                Items((("W1", ("place", "see `x`")),)),
                Drawing("<svg></svg>\n", "A picture."),
                Folded("More", (Paragraph("Inside."), verbatim(Table(EVIL, ("n",), ((EVIL,),), EVIL)))),
            ),
        ),
    ),
    style=".a{}",
)


def test_html() -> None:
    text = html_of(PAGE)
    assert '<dl class="facts"><div><dt>Region</dt><dd>us-west-2</dd></div></dl>' in text
    assert "<li><strong>W1</strong><div>place</div><div>see <code>x</code></div></li>" in text
    assert '<figure class="drawing">\n<svg></svg>\n</figure>' in text
    assert "<details><summary>More</summary>\n<p>Inside.</p>" in text
    assert text.count("`a` [b](javascript:c) &lt;i&gt;<br>d") == 4  # heading, caption, cell, note
    assert "<a href=" not in text.replace('<a href="#part-1">', "")
    assert "<i>" not in text
    assert ".a{}</style>" in text


def test_commands_in_the_note_of_a_table_are_code() -> None:
    table = verbatim(Table("Stacks", ("`a`",), (("`b`",),), "`destroy` keeps it."))
    text = html_of(Document("T", "L", (Section("S", (table,)),)))
    assert "<p><code>destroy</code> keeps it.</p>" in text
    assert "<code>b</code>" not in text


def test_markdown() -> None:
    text = markdown_of(PAGE)
    assert "- Region: us-west-2" in text
    assert "- **W1** place see `x`" in text
    assert "A picture." in text
    assert r"\`a\` \[b\](javascript:c) &lt;i&gt;<br>d" in text


def test_a_table_scrolls_with_the_keyboard_and_has_a_name() -> None:
    text = html_of(Document("T", "L", (Section("S", (Table("Sizes", ("a", "b"), (("1", "2"),)),)),)))
    assert '<div class="scroll" role="group" tabindex="0" aria-label="Sizes">' in text
    assert '<th scope="row" class="number">1</th><td class="number">2</td>' in text
