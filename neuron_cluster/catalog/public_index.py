"""Hosts of package indexes to which every user may upload, and of their mirrors."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class PublicIndex(SourcedRow, frozen=True, kw_only=True):
    """One host, and everything below it."""


@functools.cache
def public_indexes() -> FrozenMap[str, PublicIndex]:
    """All of them by host."""
    return read_rows(DATA_DIRECTORY / "public_indexes.yaml", PublicIndex)
