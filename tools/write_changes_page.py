"""Writes docs/changes.md and docs/changes/ from the change table. Run it after a change to
neuron_cluster/changes/rows or to the rows of a provider."""

from __future__ import annotations

from reference_pages import write_pages

from neuron_cluster.changes.change_table import change_rows
from neuron_cluster.changes.changes_page import NAME, changes_pages
from neuron_cluster.protocol.registry import registered

if __name__ == "__main__":
    write_pages(NAME, changes_pages(change_rows(registered())))
