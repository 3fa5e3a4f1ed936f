"""Published rates of failures of accelerator instances."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow

USUAL, LOW, HIGH = "usual", "low", "high"


class NodeFailureRate(SourcedRow, frozen=True, kw_only=True):
    """``per_hour`` is a fraction of the instances that run."""

    what: str
    per_hour: float

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not 0 < self.per_hour < 1:
            yield "per_hour", "is a fraction between 0 and 1"
