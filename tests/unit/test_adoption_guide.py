"""Every statement of the adoption guide names a source of its page, a doubt, or a command or page of the toolkit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "docs" / "adoption").glob("*.md"))
SOURCE = re.compile(r"(\d+)\. (\S.*), (https://\S+) \((\d{4}-\d{2}-\d{2})\)")
REFERENCE = re.compile(r"\[(\d+)\](?!\()")
ITEM = re.compile(r"(?:- |\d+\. |\| )")
OWN = re.compile(r"`neuron-cluster |\]\((?!https:)[^)]+\)|in doubt")


def parts(page: Path) -> tuple[str, list[str]]:
    """The text of a page without code blocks, and the lines of its sources."""
    text, _, sources = page.read_text(encoding="utf-8").partition("\n## Sources\n")
    return re.sub(r"(?ms)^```.*?^```$", "", text), [line for line in sources.splitlines() if line]


def statements(text: str) -> Iterator[str]:
    """Paragraphs, list items and table rows; no headings, heads of tables or sentences that introduce what follows."""
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines and lines[0].startswith("|"):
            yield from lines[2:]
            continue
        joined: list[str] = []
        for line in lines:
            if joined and not ITEM.match(line):
                joined[-1] += f" {line.strip()}"
            else:
                joined.append(line)
        yield from (line for line in joined if line.strip() and not line.rstrip().endswith(":"))


def test_the_guide_has_its_pages() -> None:
    assert {"index", "porting", "shapes", "support", "parallelism", "compare", "profile", "credits"} <= {
        page.stem for page in PAGES
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_statements_have_sources(page: Path) -> None:
    text, _ = parts(page)
    found = list(statements(text))
    assert len(found) > 5
    assert [line for line in found if not REFERENCE.search(line) and not OWN.search(line)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sources_are_dated_and_used(page: Path) -> None:
    text, lines = parts(page)
    matches = [SOURCE.fullmatch(line) for line in lines]
    assert [line for line, match in zip(lines, matches, strict=True) if match is None] == []
    numbers = [int(match[1]) for match in matches if match]
    assert numbers == list(range(1, len(lines) + 1))
    assert {int(number) for number in REFERENCE.findall(text)} == set(numbers)
    assert [match[4] for match in matches if match and not date(2023, 1, 1) <= date.fromisoformat(match[4])] == []
