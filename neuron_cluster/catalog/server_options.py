"""Options of programs that serve models."""

from __future__ import annotations

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class ServerOptions(SourcedRow, frozen=True, kw_only=True):
    """How one program reads its words."""

    model: str
    """The option for which the program takes its first word."""
    short: FrozenMap[str, str]
    """Short forms, and the option that each one stands for."""
