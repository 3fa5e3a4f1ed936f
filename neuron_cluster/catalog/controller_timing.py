"""How long controllers of Kubernetes, and machines, take to notice or to do something."""

from __future__ import annotations

import functools

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class ControllerTiming(SourcedRow, frozen=True, kw_only=True):
    """``seconds`` of what ``what`` describes. An estimate has a doubt."""

    what: str
    seconds: float


@functools.cache
def controller_timings() -> FrozenMap[str, ControllerTiming]:
    """Returns the timings that `workload rehearse` uses too, by name."""
    return read_rows(DATA_DIRECTORY / "controller_timings.yaml", ControllerTiming)


@functools.cache
def start_timings() -> FrozenMap[str, ControllerTiming]:
    """Further ones of a start, by name."""
    return read_rows(DATA_DIRECTORY / "start_timings.yaml", ControllerTiming)
