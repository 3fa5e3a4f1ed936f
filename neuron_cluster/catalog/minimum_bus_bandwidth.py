"""Minimum bus bandwidth of collectives between nodes of a type, for charts/collectives-check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from local_kubernetes.model.quantity import GIB
from neuron_cluster.catalog.sourced_row import SourcedRow

BITS = 8


class MinimumBusBandwidth(SourcedRow, frozen=True, kw_only=True):
    """One instance type (``name``). ``efa_gbps`` is that of all its EFA interfaces in gigabits a second; the minimum is
    ``percent_of_efa`` of it. The source is that of ``efa_gbps``.
    """

    operation: Literal["all_reduce"]
    efa_gbps: int
    percent_of_efa: int
    enforced: bool
    """Whether the check fails below it; otherwise it warns."""

    @property
    def bus_bandwidth_gibps(self) -> float:
        """GiB a second, which is what nccom-test prints as ``busbw(GB/s)``."""
        return round(self.efa_gbps * 10**9 / BITS * self.percent_of_efa / 100 / GIB, 1)

    @property
    def says(self) -> str:
        """Its derivation, which the chart prints."""
        return f"{self.percent_of_efa}% of {self.efa_gbps} Gbps of EFA; {self.doubt_about('percent_of_efa')}"

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.enforced and self.doubt_about("percent_of_efa"):
            yield "enforced", "must be false for a bandwidth that is in doubt"
