"""Account ids of AWS's documentation: valid in an example, never in a deploy."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class PlaceholderAccount(SourcedRow, frozen=True, kw_only=True):
    """One account id (``name``)."""


@functools.cache
def placeholder_accounts() -> FrozenMap[str, PlaceholderAccount]:
    """All placeholder accounts by id."""
    return read_rows(DATA_DIRECTORY / "placeholders.yaml", PlaceholderAccount)
