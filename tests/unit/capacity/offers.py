"""Offers to try things with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from neuron_cluster.aws.capacity_blocks import CapacityBlockOffering
from neuron_cluster.capacity.block_unit import BlockUnit, instance_unit
from neuron_cluster.capacity.offerings import BlockOffer
from neuron_cluster.catalog.catalog import load_catalog

TRN2 = instance_unit("trn2.48xlarge", load_catalog())
START = datetime(2026, 12, 1, 11, 30, tzinfo=UTC)


def an_offer(
    *,
    fee: str = "858.26",
    count: int = 1,
    hours: float = 24,
    start: datetime = START,
    region: str = "us-east-2",
    zone_id: str | None = "use2-az3",
    unit: BlockUnit = TRN2,
    offering_id: str = "cb-0123456789abcdef0",
) -> BlockOffer:
    end = start + timedelta(hours=hours)
    return BlockOffer(region, unit, CapacityBlockOffering(offering_id, zone_id, count, start, end, Decimal(fee), "USD"))
