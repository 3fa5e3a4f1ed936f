"""Every environment with goldens synthesizes to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from write_goldens import ASSET_HASH, GOLDEN, PLAN, SUFFIX, environments, golden_text, plan_text

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


def test_the_plan_of_every_kind_of_storage_equals_its_golden() -> None:
    assert plan_text("storage-kinds") == (GOLDEN / "storage-kinds" / PLAN).read_text(), REWRITE


def test_goldens_hold_no_hash_of_an_asset() -> None:
    assert [path.name for path in GOLDEN.rglob(f"*{SUFFIX}") if ASSET_HASH.search(path.read_text())] == []


def test_no_golden_is_left_of_an_environment_that_is_gone() -> None:
    assert (
        sorted(path.name for path in GOLDEN.iterdir() if path.is_dir() and path.name != "__pycache__") == environments()
    )
