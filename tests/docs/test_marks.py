"""Every shell command of a page is in a block that a test runs or parses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import EXECUTED, PAGES, PARSED, blocks_of, name_of, text_without_fences
from tests.docs.test_account_blocks import PROGRAMS

SHELLS = {"", "sh", "bash", "shell", "text"}
INFOS = {EXECUTED, PARSED, "", "yaml", "json", "mermaid", "python", "text", "{toctree}"}


def unmarked_commands(text: str, page: str) -> Iterator[str]:
    """Lines of indented blocks, and of fences without a mark, that begin with a program."""
    for number, line in enumerate(text_without_fences(text).splitlines(), 1):
        if line.startswith("    ") and _is_command(line):
            yield f"{page}:{number}: {line.strip()}"
    for block in blocks_of(text, page):
        if block.info in SHELLS:
            yield from (f"{block.place}: {line}" for line in block.body.splitlines() if _is_command(line))


def _is_command(line: str) -> bool:
    return line.removeprefix("$ ").split()[:1] != [] and line.removeprefix("$ ").split()[0] in PROGRAMS


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_command_is_in_an_unmarked_block(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert list(unmarked_commands(text, name_of(page))) == []
    assert {block.info for block in blocks_of(text, name_of(page))} <= INFOS


@pytest.mark.parametrize(
    "text", ["    aws s3 ls\n", "```\n$ kubectl get nodes\n```\n", "- item\n\n  ```bash\n  helm list\n  ```\n"]
)
def test_an_unmarked_command_is_found(text: str) -> None:
    assert len(list(unmarked_commands(text, "page.md"))) == 1


@pytest.mark.parametrize(
    "text", ["    aws:\n", "```yaml\nhelm: {}\n```\n", "```console\n$ make lock\n```\n", "- make it\n"]
)
def test_a_marked_command_and_a_file_are_none(text: str) -> None:
    assert list(unmarked_commands(text, "page.md")) == []
