"""Links between the pages of the project lead to files that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/*.md")])
MAX_LINES = 400
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")


def test_every_link_leads_to_a_file() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_no_page_is_longer_than_a_reader_scrolls() -> None:
    long = {
        str(page.relative_to(ROOT)): len(page.read_text("utf-8").splitlines()) for page in ROOT.glob("docs/**/*.md")
    }
    assert {page: lines for page, lines in long.items() if lines > MAX_LINES} == {}


def test_the_readme_says_what_was_never_run_and_where_doubts_are_listed() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## What has never been run on AWS")[2].partition("\n## ")[0]
    linked = {str((ROOT / target).relative_to(ROOT)) for target in LINK.findall(section)}
    with_doubts = {
        str(page.relative_to(ROOT))
        for page in PAGES
        if "adr" not in page.parts
        and re.search(r"not run here|never run on|^## Doubts", page.read_text("utf-8"), re.IGNORECASE | re.MULTILINE)
    }
    assert with_doubts - {"README.md", "CHANGELOG.md"} <= linked
