"""docs/cli/ has a page for each command, as its parser describes it."""

from __future__ import annotations

import argparse
import functools
import re

import pytest
from command_parsers import commands
from reference_pages import DOCS, outdated
from write_cli_pages import NAME, WIDTH, cli_pages

kept_pages = functools.cache(cli_pages)
RUN = "run tools/write_cli_pages.py"


def test_the_pages_in_the_documentation_are_fresh() -> None:
    assert outdated(NAME, kept_pages()) == [], RUN


def test_each_command_has_a_page_with_each_of_its_arguments() -> None:
    missing = [
        f"docs/{NAME}/{command.slug}.md: {word}"
        for command in commands()
        for argument in command.arguments
        for word in argument.option_strings or [str(argument.metavar)]
        if word not in (DOCS / NAME / f"{command.slug}.md").read_text("utf-8")
    ]
    assert missing == [], RUN


@pytest.mark.parametrize("columns", ["20", "200"])
def test_a_page_does_not_depend_on_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = kept_pages()
    monkeypatch.setenv("COLUMNS", columns)
    assert cli_pages() == pages


def usage(slug: str) -> str:
    """The lines of the first block of a page."""
    found = re.search(r"```text\n(.*?)\n```", kept_pages()[f"{NAME}/{slug}.md"], re.DOTALL)
    assert found
    return found[1]


def test_the_usage_shows_alternatives_and_what_must_be_given() -> None:
    text = " ".join(usage("capacity-search").split())
    assert "(--type TYPE | --ultraserver TYPE) [--count N]" in text
    assert "[--details | --scale] [--time]" in usage("plan")
    assert " ".join(usage("upgrade").split()).endswith("--to SDK [--write] NAME")
    assert usage("validate").endswith("[NAME ...]")
    assert usage("workload") == "neuron-cluster workload [-h] ACTION ..."


def test_no_line_of_usage_is_wider_than_its_columns() -> None:
    assert [line for command in commands() for line in usage(command.slug).splitlines() if len(line) > WIDTH] == []


def test_a_status_that_an_argument_changes_is_on_pages_of_command_and_program() -> None:
    line = "`diff --exit-code`: exit status 3 if a deploy would change something"
    assert [name for name, text in kept_pages().items() if line in text] == ["cli/index.md", "cli/diff.md"]


def test_no_bar_in_a_cell_opens_another_one() -> None:
    rows = [line for text in kept_pages().values() for line in text.splitlines() if line.startswith("| ")]
    assert [row for row in rows if len(re.findall(r"(?<!\\)\|", row)) != 3] == []


def test_pages_list_only_arguments_that_are_in_the_help() -> None:
    assert [path for path, page in kept_pages().items() if argparse.SUPPRESS in page] == []
