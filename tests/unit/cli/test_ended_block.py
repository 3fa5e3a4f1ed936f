"""Verbs that bring an environment to a cloud hold its capacity blocks against a day."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import PROJECT, Command

ENVIRONMENTS = PROJECT / "environments"
RESERVED = "reservation_id: cr-0123456789abcdef0"
WINDOW = f'{RESERVED}\n        starts: "2026-12-01T11:30:00Z"\n        ends: "2026-12-08T11:30:00Z"'


@pytest.fixture
def block(tmp_path: Path) -> str:
    """train-trn2 with the window of its block written down."""
    file = tmp_path / "train-trn2.yaml"
    file.write_text((ENVIRONMENTS / "train-trn2.yaml").read_text().replace(RESERVED, WINDOW))
    return str(file)


@pytest.mark.parametrize("verb", [["deploy", "--yes"], ["deploy", "--local"], ["diff", "--against", "train-trn2"]])
def test_a_block_that_is_over_stops_them_before_they_ask_any_cloud(
    verb: list[str], block: str, command: Command
) -> None:
    ran = command(verb[0], block, *verb[1:], "--as-of", "2026-12-09")
    assert ran.status == 1
    assert "E3043" in ran.err
    assert "ended on 2026-12-08" in " ".join(ran.err.split())
