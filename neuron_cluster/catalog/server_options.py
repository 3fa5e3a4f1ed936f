"""Options of programs that serve models."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ServerOptions(SourcedRow, frozen=True, kw_only=True):
    """How one program reads its words."""

    model: str
    """The option for which the program takes its first word."""
    short: FrozenMap[str, str]
    """Short forms, and the option that each one stands for."""


@functools.cache
def server_options() -> FrozenMap[str, ServerOptions]:
    """All rows by name."""
    return read_rows(DATA_DIRECTORY / "server_options.yaml", ServerOptions)
