"""``tools/compare_commits.py``: two commits of a small repository, and the mutated files that both are asked about."""

from __future__ import annotations

import copy
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compare_commits import COMPARED, compared, main
from compared_files import MUTATIONS, Mutation, Mutator, places, write_mutants

TREES = [
    {"name": "one", "network": {"cidr": "10.0.0.0/16", "zones": ["a", "b"]}, "groups": [{"count": 1}, {"count": 2}]},
    {"name": "two", "network": {"cidr": "10.1.0.0/16", "nat": "none"}, "teams": [{"name": "vision", "quota": 16}]},
]
PROGRAM = "def main(arguments):\n    print('complete', arguments[-1], {!r})\n    return 0\n"
AUTHOR = ("-c", "user.name=a test", "-c", "user.email=test@example.com")
Commit = Callable[[str], str]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    return folder


@pytest.fixture
def commit(repository: Path) -> Commit:
    """``commit(text)`` commits this command line and returns the id of the commit."""

    def commit_program(text: str) -> str:
        package = repository / "neuron_cluster" / "cli"
        package.mkdir(parents=True, exist_ok=True)
        for folder in (package, package.parent):
            (folder / "__init__.py").touch()
        (package / "main.py").write_text(text)
        git(repository, "add", ".")
        git(repository, *AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "a commit")
        return git(repository, "rev-parse", "HEAD")

    return commit_program


def git(folder: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def compare(repository: Path, *commits: str) -> int:
    status = main([*commits, "--only", "completion", "--repository", str(repository)])
    assert len(git(repository, "worktree", "list").splitlines()) == 1, "a worktree is left"
    return status


def test_equal_output_of_two_commits_exits_with_0(repository: Path, commit: Commit) -> None:
    assert compare(repository, commit(PROGRAM.format("same")), commit(PROGRAM.format("same"))) == 0


def test_a_difference_is_printed_with_both_sides_and_exits_with_1(
    repository: Path, commit: Commit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(repository, commit(PROGRAM.format("before")), commit(PROGRAM.format("after"))) == 1
    printed = capsys.readouterr().out
    assert "completion: fish: out: line 1\n  base: complete fish before\n  head: complete fish after\n" in printed
    assert printed.endswith("completion: 3 compared, 3 different\n3 differences\n")


def test_an_exception_in_a_command_is_compared_as_its_status(
    repository: Path, commit: Commit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        compare(repository, commit(PROGRAM.format("")), commit("def main(arguments):\n    raise KeyError('x')\n")) == 1
    )
    assert "base: 0\n  head: KeyError: 'x'" in capsys.readouterr().out


def test_worktrees_are_removed_after_a_commit_whose_modules_fail(
    repository: Path, commit: Commit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(repository, commit(PROGRAM.format("")), commit("import absent\n")) == 2
    assert "compared_output.py" in capsys.readouterr().err


def test_a_commit_without_the_toolkit_is_an_error(
    repository: Path, commit: Commit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python would import the toolkit that is installed."""
    base = commit(PROGRAM.format(""))
    git(repository, "rm", "-r", "--quiet", "neuron_cluster")
    git(repository, *AUTHOR, "commit", "--quiet", "--allow-empty", "--message", "nothing is left")
    assert compare(repository, base) == 2
    assert "compared_output.py" in capsys.readouterr().err


def test_an_unknown_commit_exits_with_2(repository: Path, commit: Commit, capsys: pytest.CaptureFixture[str]) -> None:
    commit(PROGRAM.format(""))
    assert compare(repository, "0000000") == 2
    assert "0000000" in capsys.readouterr().err


def found(status: int, *findings: tuple[str, int]) -> dict[str, Any]:
    listed = [f'{{"id": "{name}", "file": "a", "line": {line}, "severity": "error"}}' for name, line in findings]
    return {"status": status, "out": f'{{"findings": [{", ".join(listed)}]}}'}


@pytest.mark.parametrize(
    ("head", "differences"),
    [
        (found(1, ("E2", 7), ("E1", 3)), []),
        (found(1, ("E1", 3)), [("E2 a 7 error", "(nothing else)")]),
        (found(1, ("E1", 3), ("E2", 8)), [("E2 a 7 error", "E2 a 8 error")]),
        (found(0, ("E1", 3), ("E2", 7)), [("exit status 1", "exit status 0")]),
        (found(1, ("E1", 3), ("E2", 7), ("E2", 7)), [("(nothing else)", "E2 a 7 error")]),
    ],
)
def test_findings_differ_in_line_number_and_status_not_in_order(
    head: dict[str, Any], differences: list[tuple[str, str]]
) -> None:
    base = found(1, ("E1", 3), ("E2", 7))
    printed = compared("findings", {"file": base}, {"file": head}, COMPARED)
    assert [(difference.base, difference.head) for difference in printed] == differences


@pytest.mark.parametrize(
    ("texts", "place"),
    [
        (('{"a": 1}', '{"a":1}'), "plan: out"),
        (('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'), "plan: out"),
        (("a table", "a table\n"), "plan: out: line 2"),
        (("a table\n", "another\n"), "plan: out: line 1"),
    ],
)
def test_output_with_other_bytes_is_a_difference(texts: tuple[str, str], place: str) -> None:
    base, head = ({"plan": {"status": 0, "out": text}} for text in texts)
    assert [difference.place for difference in compared("documents", base, head, ())] == [place]


def test_the_place_of_a_difference_in_a_document_is_its_path() -> None:
    base, head = ({"plan": {"status": 0, "out": f'{{"groups": [1, {value}]}}'}} for value in (2, 3))
    (difference,) = compared("documents", base, head, ())
    assert (difference.place, difference.base, difference.head) == ("plan: document: groups[1]", "2", "3")


def test_a_file_of_the_wheel_differs_if_its_content_does_not_only_its_folder() -> None:
    base = {"old/script.sh": "echo", "data.yaml": "1", "page.md": "gone"}
    head = {"new/script.sh": "echo", "data.yaml": "2"}
    assert [difference.place for difference in compared("wheel", base, head, ())] == ["data.yaml", "page.md"]


def test_the_same_seed_has_the_same_mutants(tmp_path: Path) -> None:
    for name, seed in (("first", 1), ("again", 1), ("other", 2)):
        write_mutants(tmp_path / name, TREES, [], count=40, seed=seed)
    first, again, other = (
        [file.read_text() for file in sorted((tmp_path / name).iterdir())] for name in ("first", "again", "other")
    )
    assert first == again
    assert first != other
    assert len(set(first)) > 30


def test_a_mutant_leaves_the_environment_as_it_is() -> None:
    mutator, before = Mutator(TREES, seed=3), repr(TREES)
    mutants = [mutator.mutant(TREES[0]) for _ in range(200)]
    assert repr(TREES) == before
    assert "10.1.0.0/16" in repr(mutants), "no mutant has a value that the key has in another environment"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_each_edit_changes_the_tree_at_most_places(mutation: Mutation) -> None:
    mutator, unchanged = Mutator(TREES, seed=4), []
    for number, _ in enumerate(places(TREES[0])):
        tree = copy.deepcopy(TREES[0])
        mutation(mutator, *[*places(tree)][number])
        unchanged += [number] * (tree == TREES[0])
    assert len(unchanged) < number / 2
