"""Each row of CONTRIBUTING's table names every file that its patch touches, and the tests that prove it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .rows import OUTPUTS, PATCHES, ROOT, Row, rows, touched

PACKAGE = ROOT / "neuron_cluster"
ROWS = rows()
NAMES = [row.slug for row in ROWS]
MOST_FILES = {"a provider": 10, "a field of the environment file": 6}
"""Most files that are written by hand for the additions that touch the most folders."""


def test_each_row_has_a_patch_and_each_patch_a_row() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in PATCHES.glob("*.patch"))


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_patch_touches_the_files_of_its_row(row: Row) -> None:
    files = touched(row.patch)
    assert [file for file in files if not row.is_of_row(file)] == []
    unused = [each for each in row.files if not any(Row("", (each,), (), ()).is_of_row(file) for file in files)]
    assert unused == [], "no file of the patch is one of these"


def test_the_longest_rows_touch_at_most_so_many_files_by_hand() -> None:
    counts = {row.what: len(touched(row.patch)) for row in ROWS}
    assert {what: counts[what] for what, most in MOST_FILES.items() if counts[what] > most} == {}


def test_tools_and_tests_of_the_rows_exist() -> None:
    assert [tool for row in ROWS for tool in row.tools if tool not in OUTPUTS] == []
    assert [path for row in ROWS for path in (*row.tools, *row.proof) if not (ROOT / path).exists()] == []
    assert [row.what for row in ROWS if not row.proof] == []


def test_the_files_of_larger_additions_exist() -> None:
    """Below the checkout or the package; ``NAME`` stands for a name, and what is no path for itself."""
    text = (ROOT / "docs" / "dev" / "larger-additions.md").read_text(encoding="utf-8")
    named = [each.partition(" ")[0] for each in re.findall(r"`([^`]+)`", text) if "/" in each]
    paths = [each for each in named if "NAME" not in each]
    assert len(paths) > 10
    assert [each for each in paths if not any((folder / each).exists() for folder in (ROOT, PACKAGE))] == []


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_patch_applies(row: Row) -> None:
    """A file that it touches has changed: write the patch again, as docs/dev/rows.md describes."""
    run(["git", "apply", "--check", str(row.patch)], ROOT)


@pytest.mark.exhaustive
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_a_row_names_all_that_changes_and_its_tests_pass(row: Row, tmp_path: Path) -> None:
    copy = tmp_path / "project"
    copy_of_project(copy)
    run(["git", "apply", str(row.patch)], copy)
    for tool in row.tools:
        run([sys.executable, tool], copy)
    run(["git", "add", "--all"], copy)
    changed = run(["git", "diff", "--cached", "--name-only"], copy).split()
    assert sorted(file for file in changed if not row.is_generated(file)) == sorted(touched(row.patch))
    for tool in row.tools:
        assert any(file.startswith(OUTPUTS[tool]) for file in changed), f"{tool} has nothing to write"
    own = [file for file in touched(row.patch) if Path(file).name.startswith("test_")]
    run([sys.executable, "-m", "pytest", "-q", "-m", "not exhaustive", *row.proof, *own], copy)


def copy_of_project(copy: Path) -> None:
    """Copies the tracked files as the first commit of a new repository."""
    for file in run(["git", "ls-files"], ROOT).splitlines():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, copy / file)
    for folder in (".venv", "node_modules"):
        (copy / folder).symlink_to(ROOT / folder)
    run(["git", "init", "--quiet"], copy)
    (copy / ".git" / "info" / "exclude").write_text(".venv\nnode_modules\n")
    run(["git", "add", "--all"], copy)
    author = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    run(["git", *author, "commit", "--quiet", "--message", "before"], copy)


def run(command: list[str], folder: Path) -> str:
    """Its output. The modules of the folder are imported, not those of the checkout that is installed."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}"
    return ran.stdout
