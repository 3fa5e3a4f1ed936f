"""Links between the pages of the project lead to files that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/*.md")])
MAX_LINES = 400
DOUBTS = re.compile(
    r"not run here|never run on|^## (Doubts|Open questions|Not verified on AWS|What is not emulated)$",
    re.IGNORECASE | re.MULTILINE,
)
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


def test_the_page_of_what_was_never_run_links_every_page_with_doubts() -> None:
    page = ROOT / "docs" / "never-run.md"
    linked = {(page.parent / target).resolve() for target in LINK.findall(page.read_text(encoding="utf-8"))}
    with_doubts = {path for path in PAGES if "adr" not in path.parts and DOUBTS.search(path.read_text("utf-8"))}
    about_it = {ROOT / "README.md", ROOT / "CHANGELOG.md", page}
    assert len(with_doubts) > 10
    assert sorted(str(path.relative_to(ROOT)) for path in with_doubts - about_it - linked) == []
