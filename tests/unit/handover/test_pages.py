"""One document as Markdown and as HTML: the same words, and no markup of a user's text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from neuron_cluster.pages.document import Commands, Document, Paragraph, Section, Steps, literal
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.pages.style import STYLE
from neuron_cluster.schedulers.kubernetes.team_pages.pack import KubernetesPack
from neuron_cluster.table import Table
from tests.contrast import contrast
from tests.unit.handover.packs import commands_in

WITHOUT_END = {"meta"}
PAGE = Document(
    "Team <b>red</b>",
    "Uses `a < b`.",
    (
        Section(
            "First",
            (
                Paragraph("See [runbook.md](runbook.md) & `x > y`."),
                Steps((("Do it.", ("echo '<hi>' | cat",)), ("Then this.", ()))),
                Table("Sizes", ("name", "size"), (("a|b", "<1>"),), "A note."),
                Commands(("ls",)),
            ),
        ),
    ),
)


class Parsed(HTMLParser):
    """Tags that are open, and what a checker of pages looks for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, dict[str, Any]]] = []
        self.texts = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append((tag, dict(attrs)))
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts += data


def _parsed(text: str) -> Parsed:
    parsed = Parsed()
    parsed.feed(text)
    parsed.close()
    assert parsed.open == []
    return parsed


def test_markdown() -> None:
    assert markdown_of(PAGE) == (
        "# Team &lt;b&gt;red&lt;/b&gt;\n\nUses `a < b`.\n\n## First\n\nSee [runbook.md](runbook.md) & `x > y`.\n\n"
        "1. Do it.\n\n   ```sh\n   echo '<hi>' | cat\n   ```\n\n2. Then this.\n\n"
        "**Sizes**\n\n| name | size |\n| --- | --- |\n| a\\|b | &lt;1&gt; |\n\nA note.\n\n```sh\nls\n```\n"
    )


def test_html_escapes_everything_and_closes_every_tag() -> None:
    text = html_of(PAGE)
    parsed = _parsed(text)
    assert "<b>" not in text
    assert "Team <b>red</b>" in parsed.texts
    assert "echo '<hi>' | cat" in parsed.texts
    assert '<a href="runbook.md">runbook.md</a>' in text


def test_code_in_a_cell_is_not_broken_and_lines_of_a_block_begin_at_its_edge() -> None:
    rules = dict(re.findall(r"^([^{}@\n]+)\{([^}]*)\}$", STYLE, re.MULTILINE))
    parsed = _parsed(html_of(Document("T", "L", (Section("S", (Table("C", ("name",), (("`queue`",),)),)),))))
    cell = next(tag for tag in parsed.tags if tag in ("th", "td") and ("th", {"scope": "row"}) in parsed.attributes)
    assert "white-space:nowrap" in rules[f"{cell} code,td code"]
    assert rules["pre code"].startswith("padding:0")


def test_the_page_of_a_team_needs_no_script_and_nothing_from_elsewhere(research: KubernetesPack) -> None:
    text = research.files["index.html"]
    parsed = _parsed(text)
    assert not {"script", "link", "img", "iframe"} & set(parsed.tags)
    assert "url(" not in STYLE
    assert parsed.tags.count("h1") == 1
    policies = [each for tag, each in parsed.attributes if each.get("http-equiv") == "Content-Security-Policy"]
    assert [each["content"] for each in policies] == ["default-src 'none'; style-src 'unsafe-inline'"]
    anchors = {each["id"] for _, each in parsed.attributes if "id" in each}
    links = [each["href"] for tag, each in parsed.attributes if tag == "a"]
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= anchors
    titles = [each.get("scope") for tag, each in parsed.attributes if tag == "th"]
    assert set(titles) == {"col", "row"}
    assert parsed.tags.count("caption") == parsed.tags.count("table") >= 6


def test_both_pages_have_the_same_commands_and_tables(research: KubernetesPack) -> None:
    text = _parsed(research.files["index.html"]).texts
    page = research.files["README.md"]
    assert all(command in text for command in commands_in(page))
    assert page.count("**\n\n| ") == research.files["index.html"].count("<table ")


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_and_lines_have_enough_contrast_in_light_and_dark(scheme: int) -> None:
    """4.5:1 and 3:1 of WCAG 2.2 (1.4.3, 1.4.11); the line round a box is not needed to read it."""
    block = re.findall(r":root\{([^}]+)\}", STYLE)[scheme]
    colours = dict(re.findall(r"--(\w+):(#[0-9a-f]+)", block))
    for fore in ("text", "soft", "link"):
        for back in ("back", "box"):
            assert contrast(colours[fore], colours[back]) >= 4.5, (fore, back)


def test_a_line_of_a_user_has_no_marks() -> None:
    assert literal("ask `x`\n[here](javascript:alert)") == "ask 'x' (here)(javascript:alert)"
