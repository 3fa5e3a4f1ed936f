"""The pages of questions and of limits are true for this code: verbs, options, keys and findings exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hint_commands import command_error

from .conftest import PROJECT, Command

DOCS = PROJECT / "docs"
PAGES = [DOCS / "faq.md", DOCS / "limits.md", *sorted(DOCS.glob("adoption/*.md"))]
SPAN = re.compile(r"`([^`]+)`")
KEY = re.compile(r"(?:eks|network|storage|neuron|teams)(?:\.[a-z_]+)+")
MOST_LINES = 200
BLOCK = re.compile(r"(?ms)^```(console(?: needs-account)?)\n(.*?)^```")


def commands_of(page: Path) -> list[str]:
    """Commands of the toolkit on a page, in spans with their arguments and after the prompt of a console block."""
    text = page.read_text(encoding="utf-8")
    prompts = [
        line.removeprefix("$ ").partition("#")[0]
        for _, block in BLOCK.findall(text)
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("$ ")
    ]
    spans = [" ".join(span.split()) for span in SPAN.findall(BLOCK.sub("", text))]
    found = [command for command in [*prompts, *spans] if command.startswith("neuron-cluster ")]
    return [command for command in found if not _names_a_verb_alone(command)]


def _names_a_verb_alone(command: str) -> bool:
    return all(re.fullmatch("[a-z]+", word) for word in command.split()[1:]) and len(command.split()) <= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_are_understood(page: Path) -> None:
    failed = {command: error for command in commands_of(page) if (error := command_error(command))}
    assert failed == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_keys_and_findings_exist(page: Path, command: Command) -> None:
    text = page.read_text(encoding="utf-8")
    keys = {span.partition(":")[0] for span in SPAN.findall(text)}
    topics = {key for key in keys if KEY.fullmatch(key)} | set(re.findall(r"\b[EW]\d{4}\b", text))
    assert [topic for topic in sorted(topics) if command("explain", topic).status != 0] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_short(page: Path) -> None:
    assert len(page.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def answers() -> dict[str, list[str]]:
    """Each question of the page, with the lines of its answer."""
    parts = re.split(r"(?m)^### (.*)$", (DOCS / "faq.md").read_text(encoding="utf-8"))[1:]
    texts = [re.split(r"(?m)^## ", part)[0] for part in parts[1::2]]
    return {q: [line for line in text.splitlines() if line] for q, text in zip(parts[::2], texts, strict=True)}


def test_answers_are_short_and_lead_to_a_command_or_a_page() -> None:
    found = answers()
    assert 25 <= len(found) <= 40
    assert [question for question in found if not question.endswith("?")] == []
    assert [question for question, lines in found.items() if not 1 <= len(lines) <= 5] == []
    leads = re.compile(r"`|\]\(")
    assert [question for question, lines in found.items() if not leads.search(" ".join(lines))] == []
