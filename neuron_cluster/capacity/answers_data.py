"""Answers in the form that ``--format json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from neuron_cluster.capacity.block_offer import BlockOffer
from neuron_cluster.capacity.block_wish import CapacityBlockQuery
from neuron_cluster.capacity.group_wish import GroupCapacityQuery
from neuron_cluster.capacity.purchase_command import PurchaseCommand
from neuron_cluster.capacity.query import Answers


def search_as_data(
    wish: CapacityBlockQuery, regions: Sequence[str], answers: Answers, till: PurchaseCommand
) -> dict[str, Any]:
    return {
        **_asked_as_data(wish, regions),
        "offers": [_offer_as_data(offer, till) for offer in answers.offers],
        "silent_regions": [asdict(each) for each in answers.silent],
    }


def group_as_data(
    wish: GroupCapacityQuery, regions: Sequence[str], answers: Answers, till: PurchaseCommand
) -> dict[str, Any]:
    """``elsewhere``: offers in zones that the group is not in."""
    offers = [(wish.fits(offer), _offer_as_data(offer, till)) for offer in answers.offers]
    return {
        "name": wish.group,
        "zone_ids": list(wish.zone_ids),
        **_asked_as_data(wish.wish, regions),
        "note": wish.note,
        "offers": [data for fits, data in offers if fits],
        "elsewhere": [data for fits, data in offers if not fits],
    }


def _asked_as_data(wish: CapacityBlockQuery, regions: Sequence[str]) -> dict[str, Any]:
    first, last = wish.span.first, wish.span.last
    asked = {
        "unit": wish.unit.name,
        "instance_type": wish.unit.instance_type,
        "count": wish.count,
        "instances": wish.instances,
        "hours": wish.hours,
        "from": first.isoformat() if first is not None else None,
        "until": last.isoformat() if last is not None else None,
        "regions": list(regions),
    }
    return {"asked": asked, "doubt": wish.unit.doubt}


def _offer_as_data(offer: BlockOffer, till: PurchaseCommand) -> dict[str, Any]:
    offering, chip_hour = offer.offering, offer.per_chip_hour
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
        "per_chip_hour": round(float(chip_hour), 4) if chip_hour is not None else None,
        "offering_id": offering.id,
        "purchase": " ".join(till.arguments(offer)) if till.is_open else None,
    }
