"""Links between the pages of the project lead to files that exist."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from myst_parser.slugs import github_slugify

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/*.md")])
MAX_LINES = 400
INDEX_OF_RULES = ROOT / "docs" / "rules.md"
"""A line for each rule, which a reader looks up by its id."""
DOUBTS = re.compile(
    r"not run here|never run on|^## (Doubts|Open questions|Not verified on AWS|What is not emulated)$",
    re.IGNORECASE | re.MULTILINE,
)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
TO_ANCHOR = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)")
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`|\[([^\]]+)\]\([^)]+\)")


def test_every_link_leads_to_a_file() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []


@functools.cache
def anchors_of(page: Path) -> set[str]:
    """Anchors of the headings; the second of the same name ends in ``-1``."""
    found: set[str] = set()
    for title in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        first = github_slugify(SPAN.sub(lambda span: span[1] or span[2], title))
        names = (first, *(f"{first}-{number}" for number in range(1, 100)))
        found.add(next(name for name in names if name not in found))
    return found


def test_every_anchor_of_a_link_is_a_heading_of_its_page() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {target}#{anchor}"
        for page in PAGES
        for target, anchor in TO_ANCHOR.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
        if (read := (page.parent / target).resolve() if target else page).suffix == ".md"
        if anchor not in anchors_of(read)
    ]
    assert dead == []


def test_no_page_is_longer_than_a_reader_scrolls() -> None:
    long = {
        str(page.relative_to(ROOT)): len(page.read_text("utf-8").splitlines())
        for page in ROOT.glob("docs/**/*.md")
        if page != INDEX_OF_RULES
    }
    assert {page: lines for page, lines in long.items() if lines > MAX_LINES} == {}


def test_the_page_of_what_was_never_run_links_every_page_with_doubts() -> None:
    page = ROOT / "docs" / "never-run.md"
    linked = {(page.parent / target).resolve() for target in LINK.findall(page.read_text(encoding="utf-8"))}
    with_doubts = {path for path in PAGES if "adr" not in path.parts and DOUBTS.search(path.read_text("utf-8"))}
    about_it = {ROOT / "README.md", ROOT / "CHANGELOG.md", page}
    assert len(with_doubts) > 10
    assert sorted(str(path.relative_to(ROOT)) for path in with_doubts - about_it - linked) == []
