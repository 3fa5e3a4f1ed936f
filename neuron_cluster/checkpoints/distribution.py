"""Several simulated runs, and how their losses are spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from neuron_cluster.checkpoints.simulation import SimulatedRun

LOW, MIDDLE, HIGH = 0.05, 0.5, 0.95


class Spread(Struct, frozen=True):
    """The distribution of one number over all runs: the 5th, 50th and 95th percentile, and the mean."""

    low: float
    median: float
    high: float
    mean: float


def spread_of(runs: Sequence[SimulatedRun], number: Callable[[SimulatedRun], float]) -> Spread:
    """Percentiles are those of the nearest run. Raises ValueError without runs."""
    values = sorted(number(run) for run in runs)
    if not values:
        raise ValueError("no runs")
    low, median, high = (values[round(share * (len(values) - 1))] for share in (LOW, MIDDLE, HIGH))
    return Spread(low, median, high, sum(values) / len(values))
