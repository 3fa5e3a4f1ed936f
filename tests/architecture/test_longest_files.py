"""The files that ``make test`` begins with are there."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_file_of_the_list_is_there() -> None:
    listed = (ROOT / "tests/longest_files.txt").read_text().split()
    assert [name for name in listed if not (ROOT / name).exists()] == []
