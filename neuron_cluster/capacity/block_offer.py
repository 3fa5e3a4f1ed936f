"""An offering with what it costs for each hour of a machine and of a chip."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from neuron_cluster.aws.capacity_blocks import CapacityBlockOffering
from neuron_cluster.capacity.block_unit import BlockUnit

SECONDS_AN_HOUR = 3600


class BlockOffer(Struct, frozen=True):
    """One block of one Region that can be bought."""

    region: str
    unit: BlockUnit
    offering: CapacityBlockOffering

    @property
    def instances(self) -> int:
        return self.offering.count * self.unit.instances

    @property
    def hours(self) -> Decimal:
        """From start to end: less than was asked for when the block starts in the middle of a day."""
        seconds = (self.offering.end - self.offering.start).total_seconds()
        return Decimal(seconds) / SECONDS_AN_HOUR

    @property
    def per_instance_hour(self) -> Decimal:
        """What an hour of one instance costs, in the offering's currency."""
        return self.offering.upfront_fee / (self.instances * self.hours)

    @property
    def per_chip_hour(self) -> Decimal | None:
        """What an hour of one Neuron device costs; None when the catalog does not know how many there are."""
        chips = self.unit.chips
        return self.offering.upfront_fee / (self.offering.count * chips * self.hours) if chips else None

    def place(self) -> tuple[Decimal, datetime, str, str, str]:
        """Where it stands in a list: the cheapest hour first, then the earliest start. All have the same unit."""
        zone_id = self.offering.zone_id or ""
        return self.per_instance_hour, self.offering.start, self.region, zone_id, self.offering.id


def sorted_offers(offers: list[BlockOffer]) -> tuple[BlockOffer, ...]:
    """By price of a chip-hour, which among offers of one unit is the order of instance-hours too."""
    return tuple(sorted(offers, key=BlockOffer.place))
