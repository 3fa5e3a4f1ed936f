"""`make docs` builds a site without a warning, in which no link is dead and which loads nothing of another host."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.docs.site import Page, dead_addresses, reachable, read_page, read_pages

EXTERNAL = re.compile(r"^(https?:)?//")
DASHED = re.compile("[ (=>][\N{EN DASH}\N{EM DASH}][a-z][a-z-]+")
WHOLE_SITE = pytest.mark.exhaustive
"""A build takes 50 s; tests/unit/test_documentation_links.py reads links and anchors of the sources."""
LOADED_BY_STYLE = re.compile(r"(?:@import\s+|url\()\s*[\"']?((?:https?:)?//[^\"')\s]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of the Makefile, with another folder of output."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ndocs: ")[2]
    command = re.search(r"sphinx-build (.*)", recipe)
    assert command is not None
    folder = tmp_path_factory.mktemp("site").resolve()
    arguments = command[1].replace("build/", f"{folder}/").split()
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return read_pages(site)


@WHOLE_SITE
def test_no_link_is_dead(pages: dict[Path, Page]) -> None:
    assert list(dead_addresses(pages)) == []


@WHOLE_SITE
def test_nothing_of_another_host_is_loaded(site: Path, pages: dict[Path, Page]) -> None:
    external = [f"{file.name}: {each}" for file, page in pages.items() for each in page.loaded if EXTERNAL.match(each)]
    styles = {file.name: LOADED_BY_STYLE.findall(file.read_text("utf-8")) for file in site.rglob("*.css")}
    assert external == []
    assert {name: found for name, found in styles.items() if found} == {}


@WHOLE_SITE
def test_each_page_of_the_documentation_is_reachable_from_the_index(site: Path, pages: dict[Path, Page]) -> None:
    found = reachable(pages, site / "docs" / "index.html")
    sources = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/README.md"), *ROOT.glob("*.md")]
    expected = {site / source.relative_to(ROOT).with_suffix(".html") for source in sources}
    assert expected - found == set()


@WHOLE_SITE
def test_the_search_finds_every_page(site: Path, pages: dict[Path, Page]) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    without = [
        name
        for file in pages
        if (name := file.relative_to(site).with_suffix("").as_posix()) not in {"index", "genindex", "search"}
        and f'"{name}"' not in index
    ]
    assert without == []


@WHOLE_SITE
def test_options_have_two_hyphens(site: Path) -> None:
    """Typographic quotes of Sphinx would make a dash of them, which no command accepts."""
    found = {file.name: DASHED.findall(file.read_text("utf-8")) for file in site.rglob("*.html")}
    assert {name: options for name, options in found.items() if options} == {}


@pytest.mark.parametrize(
    ("href", "dead"),
    [
        ("b.html", []),
        ("b.html#here", []),
        ("#top", []),
        ("https://aws.amazon.com/no", []),
        ("b.html#gone", ["a.html: b.html#gone"]),
        ("c.html", ["a.html: c.html"]),
        ("#gone", ["a.html: #gone"]),
    ],
)
def test_a_dead_link_is_found(href: str, dead: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f'<a id="top" href="{href}">b</a>')
    (tmp_path / "b.html").write_text('<p id="here">')
    assert list(dead_addresses(read_pages(tmp_path.resolve()))) == dead


def test_what_a_page_loads_is_told_from_its_links() -> None:
    page = read_page('<script src="x.js"></script><link href="y.css"><a href="z.html">z</a><img src="i.svg">')
    assert (page.loaded, page.links) == (["x.js", "y.css", "i.svg"], ["z.html"])
    assert LOADED_BY_STYLE.findall('@import "https://a/b.css"; a { background: url(//c/d.png) } b { src: url(e) }') == [
        "https://a/b.css",
        "//c/d.png",
    ]
