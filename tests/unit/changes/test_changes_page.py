"""docs/changes.md is the change table as it is today."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.changes.change_table import change_rows
from neuron_cluster.changes.changes_page import changes_page
from neuron_cluster.orchestrators.registry import registered

PAGE = Path(__file__).parents[3] / "docs" / "changes.md"
ROWS = change_rows(registered())


def test_the_page_in_the_documentation_is_fresh() -> None:
    assert PAGE.read_text() == changes_page(ROWS), "run tools/write_changes_page.py"


def test_no_cell_ends_before_its_time() -> None:
    """A bar in a sentence would open another column."""
    assert [row.path for row in ROWS if "|" in row.what] == []
