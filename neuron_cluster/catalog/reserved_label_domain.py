"""Label domains that EKS rejects on managed node groups."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ReservedLabelDomain(SourcedRow, frozen=True, kw_only=True):
    """One domain, and everything below it."""


@functools.cache
def reserved_label_domains() -> FrozenMap[str, ReservedLabelDomain]:
    """All of them by name."""
    return read_rows(DATA_DIRECTORY / "reserved_label_domains.yaml", ReservedLabelDomain)
