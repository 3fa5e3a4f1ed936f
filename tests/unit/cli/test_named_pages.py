"""Pages that messages name: each is in the wheel, and a command prints it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.toolkit_files import PAGE, page_commands, page_names, toolkit_page

from .conftest import PROJECT, Command

NAMED = re.compile(r"(?<![\w/.@-])(?:docs|charts)/[\w{}./-]+\.(?:md|yaml)\b")
MENTIONED = re.compile(r"(?:docs|charts)/|\b(?:docs|charts)\b[\"']")
"""In each file with a text that names a page, whole or in parts."""
OTHER_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+(?:@\w+)?[:,] *(?:[\w./-]+(?: \([^)]*\))?[,;] +)*$")
"""Before a path: owner and name of the repository that has it."""
SHOWN_FOLDERS = ("neuron_cluster", "stacks")


def literals() -> Iterator[tuple[str, str]]:
    """Each text of the source with its file, without docstrings; values in f-strings are braces."""
    for folder in SHOWN_FOLDERS:
        for file in sorted((PROJECT / folder).rglob("*.py")):
            source = file.read_text(encoding="utf-8")
            if not MENTIONED.search(source):
                continue  # to parse it takes longer than all else here
            tree = ast.parse(source)
            docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                    yield str(file.relative_to(PROJECT)), node.value
                elif isinstance(node, ast.JoinedStr):
                    parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
                    yield str(file.relative_to(PROJECT)), "".join(map(str, parts))


def files_of_users() -> Iterator[tuple[str, str]]:
    """Environment files and what `init` writes."""
    for pattern in ("environments/**/*.yaml", "neuron_cluster/starter/files/**/*"):
        for file in sorted(PROJECT.glob(pattern)):
            if file.is_file():
                yield str(file.relative_to(PROJECT)), file.read_text(encoding="utf-8")


def named_pages() -> dict[str, str]:
    """The pages of this project that texts name, each with a file that names it."""
    return {
        found[0]: place
        for place, text in (*literals(), *files_of_users())
        for found in NAMED.finditer(text)
        if "{" not in found[0] and "NAME" not in found[0] and not OTHER_REPOSITORY.search(text[: found.start()])
    }


def test_every_page_that_a_message_names_is_printed_by_explain(command: Command) -> None:
    named = named_pages()
    assert len(named) > 10
    assert {name: place for name, place in named.items() if toolkit_page(name) is None} == {}
    for name in named:
        assert command("explain", name).out == (PROJECT / name).read_text(encoding="utf-8")


def test_a_page_that_does_not_exist_is_found(tmp_path: Path) -> None:
    text = "see docs/no-such-page.md"
    assert [found[0] for found in NAMED.finditer(text)] == ["docs/no-such-page.md"]
    assert toolkit_page("docs/no-such-page.md") is None
    assert OTHER_REPOSITORY.search("aws/amazon-vpc-cni-k8s@b521883: README.md (WARM_ENI_TARGET), ")


def test_every_chart_has_a_page_with_its_values(command: Command) -> None:
    charts = {path.parent.name for path in PROJECT.glob("charts/*/Chart.yaml")}
    assert charts
    assert {f"charts/{name}/values.yaml" for name in charts} <= set(page_names())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("deploy (docs/teams.md), then", "deploy (`neuron-cluster explain docs/teams.md`), then"),
        ("docs/storage.md, Move a file system", "`neuron-cluster explain docs/storage.md`, Move a file system"),
        ("`docs/teams.md` and `cat docs/teams.md`", "`docs/teams.md` and `cat docs/teams.md`"),
        ("charts/model-store/values.yaml has it", "`neuron-cluster explain charts/model-store/values.yaml` has it"),
        ("aws/efs:docs/teams.md and x/docs/teams.md", "aws/efs:docs/teams.md and x/docs/teams.md"),
        ("docs/no-such-page.md", "docs/no-such-page.md"),
    ],
)  # fmt: skip
def test_a_text_gets_the_command_that_prints_a_page(text: str, shown: str) -> None:
    assert page_commands(text) == shown


@pytest.mark.parametrize("name", ["docs/../setup.md", "docs//teams.md", "/docs/teams.md", "docs/conf.py", "docs", ""])
def test_no_other_file_is_a_page(name: str) -> None:
    assert toolkit_page(name) is None


def test_pages_are_found_by_the_end_of_their_path_and_by_their_spelling(command: Command) -> None:
    assert "did you mean docs/slurm.md, " in command("explain", "slurm.md").err
    assert "did you mean docs/slurm.md, " in command("explain", "docs/slrm.md").err


def test_a_page_has_no_json(command: Command) -> None:
    ran = command("explain", "docs/teams.md", "--format", "json")
    assert (ran.status, ran.document["findings"][0]["hint"]) == (1, "leave out --format json")


def test_every_page_of_the_documentation_has_a_name_that_explain_accepts() -> None:
    pages = [path.relative_to(PROJECT).as_posix() for path in (PROJECT / "docs").rglob("*.md")]
    assert [name for name in pages if not PAGE.fullmatch(name)] == []
