"""Prices at which instances were on offer on Spot and in capacity blocks: they change with supply and demand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class PurchasePrice(SourcedRow, frozen=True, kw_only=True):
    """USD for an hour of one instance, by Region. That of a block is its fee, divided by its hours and instances."""

    instance_type: str
    purchase_option: Literal["spot", "capacity_block"]
    regions: FrozenMap[str, float]
    ranges: FrozenMap[str, tuple[float, float]] = FrozenMap()
    """The lowest and the highest price of 30 days, where a source has them."""
    doubtful_regions: FrozenMap[str, str] = FrozenMap()
    """Why the price of a Region is not certain."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if min(self.regions.values(), default=0) <= 0:
            yield "regions", "a price is missing or not above 0"
        if not {*self.doubtful_regions, *self.ranges} <= set(self.regions):
            yield "doubtful_regions", "names a Region without a price"
        for region, (lowest, highest) in self.ranges.items():
            if not lowest <= self.regions.get(region, lowest) <= highest:
                yield "ranges", f"the price in {region} is outside of its range"


class PurchasePriceTable(Table[PurchasePrice]):
    def of_instance(self, instance_type: str, purchase_option: str) -> PurchasePrice | None:
        """None where no source has such a price in any Region."""
        return self.get(f"{purchase_option}-{instance_type}")
