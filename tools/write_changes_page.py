"""Writes docs/changes.md from the change table. Run it after a change to
neuron_cluster/changes/rows or to the rows of an orchestrator."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.changes.change_table import change_rows
from neuron_cluster.changes.changes_page import changes_page
from neuron_cluster.orchestrators.registry import registered

TARGET = Path(__file__).parents[1] / "docs" / "changes.md"

if __name__ == "__main__":
    TARGET.write_text(changes_page(change_rows(registered())))
