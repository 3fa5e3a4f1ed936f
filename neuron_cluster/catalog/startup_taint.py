"""Taints of new nodes that a driver removes when it has started there."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class StartupTaint(SourcedRow, frozen=True, kw_only=True):
    """A taint that no Ready node has for long. ``name`` is its key; value and effect are free."""

    component: str
    """Flag of ``eks.addons`` of what removes it."""


@functools.cache
def startup_taints() -> FrozenMap[str, StartupTaint]:
    """All of them by key."""
    return read_rows(DATA_DIRECTORY / "startup_taints.yaml", StartupTaint)
