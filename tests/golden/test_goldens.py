"""Every environment with goldens synthesizes to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from write_goldens import (
    ASSET_HASH,
    FOLDERS,
    GOLDEN,
    PLAN,
    SUFFIX,
    SUMMARIES,
    environment_file,
    environments,
    golden_text,
    plan_text,
    summarized_files,
)

LINES_OF_A_SCREEN, COLUMNS = 50, 100
LABELS = ["cluster", "network", "stacks", "nodes", "devices", "storage", "price", "missing", "findings"]
REWRITE = "if the change is meant, run `make goldens`, read the difference, and name what it replaces in CHANGELOG.md"


@pytest.mark.parametrize("environment", environments())
def test_templates_equal_their_goldens(environment: str, templates_of: Callable[..., Any]) -> None:
    made = {
        f"{environment}-{part}{SUFFIX}": golden_text(template) for part, template in templates_of(environment).items()
    }
    golden = {path.name: path.read_text() for path in (GOLDEN / environment).glob(f"*{SUFFIX}")}
    assert sorted(made) == sorted(golden), REWRITE
    for name, text in made.items():
        assert text == golden[name], f"{name}: {REWRITE}"


@pytest.mark.usefixtures("helm_is_kept")
def test_the_plan_of_every_kind_of_storage_equals_its_golden() -> None:
    text = plan_text(environment_file("storage-kinds"), "--details")
    assert text == (GOLDEN / "storage-kinds" / PLAN).read_text(), REWRITE


@pytest.mark.usefixtures("helm_is_kept")
@pytest.mark.parametrize("file", summarized_files(), ids=lambda file: file.stem)
def test_the_summary_of_a_plan_equals_its_golden_and_fits_a_screen(file: Path) -> None:
    text = plan_text(file)
    assert text == (SUMMARIES / f"{file.stem}.txt").read_text(), REWRITE
    lines = text.splitlines()
    assert len(lines) <= LINES_OF_A_SCREEN
    assert max(map(len, lines[: len(LABELS) + 1])) <= COLUMNS
    assert lines[0].startswith(f"{file.stem.replace('_', '-')}: account ")
    assert [line.split()[0] for line in lines[1 : len(LABELS) + 1]] == LABELS


def test_every_shipped_environment_has_a_golden_summary_and_no_other() -> None:
    names = {file.stem for file in summarized_files()}
    assert {path.stem for path in SUMMARIES.iterdir()} == names
    assert {path.stem for path in FOLDERS[0].glob("*.yaml")} < names


def test_goldens_hold_no_hash_of_an_asset() -> None:
    assert [path.name for path in GOLDEN.rglob(f"*{SUFFIX}") if ASSET_HASH.search(path.read_text())] == []


def test_no_golden_is_left_of_an_environment_that_is_gone() -> None:
    assert (
        sorted(path.name for path in GOLDEN.iterdir() if path.is_dir() and path.name != "__pycache__") == environments()
    )
