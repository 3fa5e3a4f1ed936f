"""docs/changes.md and docs/changes/ are the change table as it is today."""

from __future__ import annotations

from reference_pages import outdated

from neuron_cluster.changes.change_table import change_rows
from neuron_cluster.changes.changes_page import NAME, changes_pages
from neuron_cluster.protocol.registry import registered

ROWS = change_rows(registered())


def test_the_pages_in_the_documentation_are_fresh() -> None:
    assert outdated(NAME, changes_pages(ROWS)) == [], "run tools/write_changes_page.py"


def test_no_cell_ends_before_its_time() -> None:
    """A bar in a sentence would open another column."""
    assert [row.path for row in ROWS if "|" in row.what] == []
