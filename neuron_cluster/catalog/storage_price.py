"""Reference prices of file systems and buckets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class StoragePrice(SourcedRow, frozen=True, kw_only=True):
    """USD for one ``unit``, by Region. ``steps``: the lower price of what is above so many units."""

    unit: Literal["GB-month", "1000-requests", "GB"]
    regions: FrozenMap[str, float]
    steps: FrozenMap[int, float] = FrozenMap()
    doubtful_regions: FrozenMap[str, str] = FrozenMap()
    """Why the price of a Region is not certain."""

    def usd(self, amount: float, region: str) -> float | None:
        """Returns the price of ``amount`` units in USD; None where no source has the price of the Region."""
        first = self.regions.get(region)
        if first is None:
            return None
        bounds = [(0, first), *self.steps.items()]
        ends = [*(start for start, _ in bounds[1:]), amount]
        return sum(max(0.0, min(end, amount) - start) * usd for (start, usd), end in zip(bounds, ends, strict=True))

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if list(self.steps) != sorted(self.steps):
            yield "steps", "are not in ascending order"
        if not set(self.doubtful_regions) <= set(self.regions):
            yield "doubtful_regions", "names a Region without a price"
