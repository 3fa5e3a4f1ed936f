"""Reference prices by the hour, the month or the GB, other than of instances, control planes and storage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.price_list_query import PriceListQuery
from neuron_cluster.catalog.sourced_row import SourcedRow

HOURS_PER_MONTH = 730
"""As in AWS's Pricing Calculator: 365 days of 24 hours, divided by 12."""


class ServicePrice(SourcedRow, frozen=True, kw_only=True):
    """USD for one ``unit``: by Region, or ``usd_everywhere`` where AWS has one price for the Regions of a partition."""

    what: str
    """The words of AWS's bill."""
    unit: Literal["hour", "month", "GB"]
    of: str
    """The thing of which one unit is billed: a gateway, a zone, a GiB."""
    usd_everywhere: float | None = None
    regions: FrozenMap[str, float] = FrozenMap()
    doubtful_regions: FrozenMap[str, str] = FrozenMap()
    """Why the price of a Region is not certain."""
    included: int = 0
    """Units of each resource without a charge of their own."""
    price_list: PriceListQuery | None = None
    """None where no source has its place in the price list."""

    def usd(self, region: str, partition: str) -> float | None:
        """Returns the price of one unit in USD; None where no source has the price of the Region."""
        if self.usd_everywhere is not None and partition == "aws":
            return self.usd_everywhere
        return self.regions.get(region)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        prices = [*self.regions.values(), *(() if self.usd_everywhere is None else (self.usd_everywhere,))]
        if not prices or min(prices) <= 0:
            yield "regions", "a price is missing or not above 0"
        if not set(self.doubtful_regions) <= set(self.regions):
            yield "doubtful_regions", "names a Region without a price"
