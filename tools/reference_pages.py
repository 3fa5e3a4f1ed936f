"""Writes the generated pages of the documentation: a page of contents and a folder of pages behind it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
Pages = Mapping[str, str]
"""Texts by their path in docs, the page of contents first: ``rules.md`` and ``rules/3000-3009.md``."""
RAW = str.maketrans({"<": "&lt;", ">": "&gt;", "*": "\\*", "_": "\\_", "|": "\\|"})
"""Characters of Markdown and HTML outside of code."""


def markdown_text(text: str) -> str:
    """Outside of code: Markdown shows these characters inside of it as they are, but for a bar in a table."""
    parts = text.split("`")
    return "`".join(
        part.replace("|", "\\|") if number % 2 else part.translate(RAW) for number, part in enumerate(parts)
    )


def write_pages(name: str, pages: Pages) -> None:
    """Writes them, and removes the pages of the folder ``name`` that are no longer among them."""
    (DOCS / name).mkdir(exist_ok=True)
    for path in _present(name) - set(pages):
        (DOCS / path).unlink()
    for path, text in pages.items():
        (DOCS / path).write_text(text, encoding="utf-8")
    sys.stdout.write(f"wrote docs/{next(iter(pages))} and {len(pages) - 1} pages in docs/{name}/\n")


def outdated(name: str, pages: Pages) -> list[str]:
    """Paths of pages that differ from what is generated, are missing, or are no longer generated."""
    present = _present(name)
    differing = {path for path in present & set(pages) if (DOCS / path).read_text(encoding="utf-8") != pages[path]}
    return sorted(differing | (present ^ set(pages)))


def _present(name: str) -> set[str]:
    files = [*(DOCS / name).glob("*.md"), *DOCS.glob(f"{name}.md")]
    return {file.relative_to(DOCS).as_posix() for file in files}
