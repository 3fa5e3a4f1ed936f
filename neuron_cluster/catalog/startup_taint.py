"""Taints of new nodes that a driver removes when it has started there."""

from __future__ import annotations

from neuron_cluster.catalog.sourced_row import SourcedRow


class StartupTaint(SourcedRow, frozen=True, kw_only=True):
    """A taint that no Ready node has for long. ``name`` is its key; value and effect are free."""

    component: str
    """Flag of ``eks.addons`` of what removes it."""
