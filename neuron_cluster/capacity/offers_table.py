"""Offers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from neuron_cluster.capacity.block_offer import BlockOffer
from neuron_cluster.table import Table

WIDE_ENOUGH = 160
"""Columns of a terminal in which an offer fits on one line."""

LONGEST_HOURS, LONGEST_PRICE = len("4367.5"), len("12,345,678.90")
"""Two numbers in one cell stand to the right of so many columns."""

NOT_KNOWN = "not known"
NOTE = "The cheapest chip-hour first. Times are UTC."


def offers_table(offers: Sequence[BlockOffer], title: str, width: int) -> Table:
    """One line for each offer; two where the terminal is too narrow for that."""
    currency = "".join(sorted({offer.offering.currency for offer in offers}))  # the same in all Regions of a partition
    if width >= WIDE_ENOUGH:
        times, prices = ("start", "end", "hours"), (f"{currency} total", "per instance-hour", "per chip-hour")
        columns = ("Region", "zone id", *times, "count", *prices, "offering id")
        return Table(title, columns, tuple(_wide(offer) for offer in offers), NOTE)
    heads = (
        "Region, zone id\noffering id",
        "start\nend",
        "hours\ncount",
        f"{currency} total\nmachine-hour",
        "chip\nhour",
    )
    return Table(title, heads, tuple(_narrow(offer) for offer in offers), NOTE)


def _wide(offer: BlockOffer) -> tuple[str, ...]:
    offering = offer.offering
    return (
        offer.region,
        offering.zone_id or NOT_KNOWN,
        _moment(offering.start),
        _moment(offering.end),
        f"{offer.hours:.1f}".removesuffix(".0"),
        str(offering.count),
        f"{offering.upfront_fee:,.2f}",
        f"{offer.per_instance_hour:,.2f}",
        _chip_hour(offer.per_chip_hour),
        offering.id,
    )


def _narrow(offer: BlockOffer) -> tuple[str, ...]:
    region, zone_id, start, end, hours, count, total, machine_hour, chip_hour, offering_id = _wide(offer)
    return (
        f"{region} {zone_id}\n{offering_id}",
        f"{start}\n{end}",
        f"{hours:>{LONGEST_HOURS}}\n{count:>{LONGEST_HOURS}}",
        f"{total:>{LONGEST_PRICE}}\n{machine_hour:>{LONGEST_PRICE}}",
        chip_hour,
    )


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _chip_hour(price: Decimal | None) -> str:
    return f"{price:,.3f}" if price is not None else NOT_KNOWN
