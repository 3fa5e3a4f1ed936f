"""A row says which of its own fields is not certain, and why."""

from datetime import date

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


def test_doubt_is_told_by_field() -> None:
    row = SourcedRow(name="a", source="s", checked_on=date(2026, 11, 21), doubt=FrozenMap({"name": "guessed"}))
    assert row.doubt_about("name") == "guessed"
    assert row.doubt_about("source") is None


def test_a_row_can_be_a_key() -> None:
    row = SourcedRow(name="a", source="s", checked_on=date(2026, 11, 21))
    assert {row: 1}[row] == 1
