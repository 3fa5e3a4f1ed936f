"""The pages that a reader opens first are short, and the README has its sections in one order."""

from __future__ import annotations

import re

import pytest

from tests.docs.blocks import ROOT, text_without_fences

README_ORDER = [
    "Neuron Cluster Toolkit",
    "An environment file and its plan",
    "Two commands",
    "Deploy",
    "Jobs",
    "Teams",
    "Where next",
]
MOST_LINES = {"README.md": 120, "CONTRIBUTING.md": 110}
MOST_UNRELEASED = 60
LONGEST_PROSE = 120
NARROW = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/dev/{page.name}" for page in ROOT.glob("docs/dev/*.md")))


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def long_prose(text: str) -> list[str]:
    """Lines above the limit, without those of tables."""
    return [line for line in text.splitlines() if len(line) > LONGEST_PROSE and not line.startswith("|")]


@pytest.mark.parametrize(("page", "most"), MOST_LINES.items())
def test_a_page_has_no_more_lines_than_its_limit(page: str, most: int) -> None:
    assert len(text_of(page).splitlines()) <= most


def test_the_unreleased_part_of_the_changelog_has_no_more_lines_than_its_limit() -> None:
    part = re.split(r"(?m)^## ", text_of("CHANGELOG.md"))[1]
    assert part.startswith("Unreleased\n")
    assert len(part.splitlines()) <= MOST_UNRELEASED


def test_the_readme_has_its_sections_in_order() -> None:
    assert re.findall(r"(?m)^#+ (.*)$", text_without_fences(text_of("README.md"))) == README_ORDER


def test_the_environment_file_of_the_readme_has_twelve_lines() -> None:
    file = text_of("README.md").partition("```yaml\n")[2].partition("```")[0]
    assert len(file.splitlines()) == 12


@pytest.mark.parametrize("page", NARROW)
def test_prose_fits_the_line(page: str) -> None:
    assert long_prose(text_of(page)) == []


def test_a_long_line_of_prose_is_found_and_a_row_of_a_table_is_not() -> None:
    assert long_prose(f"short\n{'x' * 121}\n| {'y' * 121} |\n") == ["x" * 121]
