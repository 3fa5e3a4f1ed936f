"""Offers of capacity blocks: as a table, the lines around it, and the data of ``--format json``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec.structs import asdict

from neuron_cluster.capacity.group_query import GroupCapacityQuery
from neuron_cluster.capacity.offerings import BlockOffer, Offerings
from neuron_cluster.capacity.purchase_command import ID_TO_FILL_IN, PurchaseCommand
from neuron_cluster.capacity.query import CapacityBlockQuery
from neuron_cluster.table import Table

WIDE_ENOUGH = 160
"""Columns of a terminal in which an offer fits on one line."""

LONGEST_HOURS, LONGEST_PRICE = len("4367.5"), len("12,345,678.90")
"""Two numbers in one cell are right-aligned in so many columns."""

NOT_KNOWN = "not known"
NOTE = "The cheapest device-hour first. Times are UTC."


def offers_table(offers: Sequence[BlockOffer], title: str, width: int) -> Table:
    """One line for each offer; two where the terminal is too narrow for that."""
    currency = "".join(sorted({offer.offering.currency for offer in offers}))  # the same in all Regions of a partition
    if width >= WIDE_ENOUGH:
        times, prices = ("start", "end", "hours"), (f"{currency} total", "per instance-hour", "per device-hour")
        columns = ("Region", "zone id", *times, "count", *prices, "offering id")
        return Table(title, columns, tuple(_wide(offer) for offer in offers), NOTE)
    heads = (
        "Region, zone id\noffering id",
        "start\nend",
        "hours\ncount",
        f"{currency} total\nmachine-hour",
        "device\nhour",
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


def none_found(query: CapacityBlockQuery, regions: Sequence[str]) -> Iterator[str]:
    """Yields what to try when there is no offer."""
    yield f"No offering of {query.summary} in {', '.join(regions)}."
    unknown = [region for region in regions if region not in query.unit.regions]
    if unknown:
        known = ", ".join(query.unit.regions) or "none"
        yield f"The catalog has {query.unit.instance_type} in these Regions: {known}; not in {', '.join(unknown)}."
    yield "Try other dates (--from, --until), another --duration or fewer instances, or query again later."


def elsewhere(offers: Sequence[BlockOffer]) -> str:
    """Offers in other zones than the node group."""
    zones = sorted({offer.offering.zone_id or "a zone that is unknown" for offer in offers})
    return (
        f"there are {len(offers)} in {', '.join(zones)}, where the group is not; `neuron-cluster capacity search` "
        f"shows them. To use one, change the group's availability_zone."
    )


def before_purchase(offer: BlockOffer, purchase: PurchaseCommand) -> str:
    """The line above the command that buys."""
    if not purchase.is_open:
        return (
            "These offerings ended with the local AWS of this command; `neuron-cluster local`, in another terminal, "
            "keeps one that sells."
        )
    price = f"{offer.offering.upfront_fee:,.2f} {offer.offering.currency}"
    pays = (
        f"that takes {price} at once and cannot be undone"
        if purchase.endpoint is None
        else "the local AWS takes no money; its variables are those that `neuron-cluster local` printed"
    )
    return f"To buy the first, in {offer.offering.zone_id or offer.region} ({pays}; nothing was bought now):"


def after_purchase(offer: BlockOffer) -> str:
    """The line above the lines of the environment."""
    start = f"{offer.offering.start:%Y-%m-%d %H:%M}"
    return (
        f"Then in the group, with the id for {ID_TO_FILL_IN} (count.desired is 0 until the block starts, {start} UTC):"
    )


def search_as_data(
    query: CapacityBlockQuery, regions: Sequence[str], found: Offerings, purchase: PurchaseCommand
) -> dict[str, Any]:
    return {
        **_query_as_data(query, regions),
        "offers": [_offer_as_data(offer, purchase) for offer in found.offers],
        "failed_regions": [asdict(each) for each in found.failed],
    }


def group_as_data(
    query: GroupCapacityQuery, regions: Sequence[str], found: Offerings, purchase: PurchaseCommand
) -> dict[str, Any]:
    """``elsewhere``: offers in zones that the group is not in."""
    offers = [(query.fits(offer), _offer_as_data(offer, purchase, query.tags)) for offer in found.offers]
    return {
        "name": query.group,
        "zone_ids": list(query.zone_ids),
        **_query_as_data(query.block, regions),
        "note": query.note,
        "offers": [data for fits, data in offers if fits],
        "elsewhere": [data for fits, data in offers if not fits],
    }


def _query_as_data(query: CapacityBlockQuery, regions: Sequence[str]) -> dict[str, Any]:
    first, last = query.span.first, query.span.last
    data = {
        "unit": query.unit.name,
        "instance_type": query.unit.instance_type,
        "count": query.count,
        "instances": query.instances,
        "hours": query.hours,
        "from": first.isoformat() if first is not None else None,
        "until": last.isoformat() if last is not None else None,
        "regions": list(regions),
    }
    return {"query": data, "doubt": query.unit.doubt}


def _offer_as_data(
    offer: BlockOffer, purchase: PurchaseCommand, tags: Mapping[str, str] | None = None
) -> dict[str, Any]:
    offering, device_hour = offer.offering, offer.per_chip_hour
    return {
        "region": offer.region,
        "zone_id": offering.zone_id,
        "start": offering.start.isoformat(),
        "end": offering.end.isoformat(),
        "hours": round(float(offer.hours), 4),
        "count": offering.count,
        "instances": offer.instances,
        "currency": offering.currency,
        "total": float(offering.upfront_fee),
        "per_instance_hour": round(float(offer.per_instance_hour), 4),
        "per_device_hour": round(float(device_hour), 4) if device_hour is not None else None,
        "offering_id": offering.id,
        "purchase": shlex.join(purchase.arguments(offer, tags)) if purchase.is_open else None,
    }
