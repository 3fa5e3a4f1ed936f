"""Lengths of capacity blocks: whole days up to 14, then whole weeks up to 26."""

import pytest

from neuron_cluster.capacity.query import block_hours
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError


@pytest.mark.parametrize(
    ("text", "days"),
    [("1d", 1), ("7d", 7), ("48h", 2), ("336h", 14), ("2w", 14), ("21d", 21), ("26w", 182), ("182D", 182), (" 3d", 3)],
)
def test_a_length_that_blocks_have_becomes_hours(text: str, days: int) -> None:
    assert block_hours(text, load_catalog()) == days * 24


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("36h", "1d or 2d"),
        ("15d", "14d or 21d"),
        ("22d", "21d or 28d"),
        ("0d", ": 1d"),
        ("8h", ": 1d"),
        ("27w", ": 182d"),
    ],
)
def test_another_length_answers_with_the_nearest_and_the_allowed_ones(text: str, nearest: str) -> None:
    with pytest.raises(ToolkitError) as refused:
        block_hours(text, load_catalog())
    assert refused.value.message.endswith(nearest)
    assert "1d to 14d" in refused.value.hint
    assert "182 days" in refused.value.hint


@pytest.mark.parametrize("text", ["", "7", "d", "7 days", "-1d", "1.5d", "99999d", "\N{ARABIC-INDIC DIGIT SEVEN}d"])
def test_what_is_no_length_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(ToolkitError, match="is not a valid duration: write a number with d, w or h"):
        block_hours(text, load_catalog())
