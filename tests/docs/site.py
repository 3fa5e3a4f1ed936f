"""References of pages of the built site: files, anchors, and resources that a browser loads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
"""Elements with the attribute whose address a browser loads without a click."""


class Page(Struct):
    """Anchors of a page, the addresses of its links, and those of what it loads."""

    anchors: set[str]
    links: list[str]
    loaded: list[str]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page(set(), [], [])

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (tag, name) == ("a", "name"):
                self.page.anchors.add(value)
            if (tag, name) in LOADED:
                self.page.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.page.links.append(value)


def read_page(text: str) -> Page:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


def read_pages(site: Path) -> dict[Path, Page]:
    """Every page of a site, by its file."""
    return {file: read_page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}


def dead_addresses(pages: dict[Path, Page]) -> Iterator[str]:
    """Links and loaded files that do not exist, and anchors that their page does not have."""
    for file, page in pages.items():
        for address in (*page.links, *page.loaded):
            target, anchor = target_of(file, address)
            if target is None:
                continue
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                yield f"{file.name}: {address}"


def target_of(file: Path, address: str) -> tuple[Path | None, str]:
    """The file, None outside of the site, and the anchor that an address in a page means."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None, ""
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    return target, unquote(parts.fragment)


def reachable(pages: dict[Path, Page], start: Path) -> set[Path]:
    """The pages to which links lead from a first one."""
    found, waiting = {start}, [start]
    while waiting:
        file = waiting.pop()
        targets = {target for address in pages[file].links if (target := target_of(file, address)[0]) in pages}
        waiting += targets - found
        found |= targets
    return found
