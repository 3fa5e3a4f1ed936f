"""Offers of training plans: as a table, the lines around it, and the data of ``--format json``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec.structs import asdict

from neuron_cluster.capacity.plan_offers import PlanOffer, PlanOfferings, UnreadPlans
from neuron_cluster.capacity.plan_purchase import plan_arguments, plan_name
from neuron_cluster.capacity.plan_query import PlanQuery
from neuron_cluster.capacity.purchase_command import PurchaseCommand
from neuron_cluster.catalog.training_plan_type import PlanTarget, TrainingPlanType
from neuron_cluster.report.capacity_page import LONGEST_HOURS, LONGEST_PRICE, NOT_KNOWN
from neuron_cluster.table import Table


def plans_table(target: PlanTarget, offers: Sequence[PlanOffer], query: PlanQuery) -> Table:
    """The offers for one target: two lines for each block of reserved capacity."""
    currency = "".join(sorted({offer.offering.currency for offer in offers}))  # the same in all Regions of a partition
    columns = ("Region\nzone id", "start\nend", "hours\ncount", f"{currency} total\nmachine-hour")
    zones = "All of a plan is in one zone." if target.has_single_zone else "A plan can have blocks in several zones."
    note = (
        "The cheapest instance-hour first. Times are UTC. SageMaker takes instances back "
        f"{target.ends_early_minutes} minutes before the end. {zones}"
    )
    title = f"Training plans for {target.name}: {query.summary}"
    return Table(title, columns, tuple(_row(offer) for offer in offers), note)


def _row(offer: PlanOffer) -> tuple[str, ...]:
    blocks = offer.offering.capacities
    places = [line for each in blocks for line in (offer.region, each.zone_id or NOT_KNOWN)]
    times = [line for each in blocks for line in (_moment(each.start), _moment(each.end))]
    hours = f"{offer.hours:.1f}".removesuffix(".0") if offer.hours is not None else NOT_KNOWN
    total, machine_hour = _price(offer.offering.upfront_fee), _price(offer.per_instance_hour)
    return (
        "\n".join(places or [offer.region]),
        "\n".join(times or [NOT_KNOWN]),
        f"{hours:>{LONGEST_HOURS}}\n{offer.count:>{LONGEST_HOURS}}",
        f"{total:>{LONGEST_PRICE}}\n{machine_hour:>{LONGEST_PRICE}}",
    )


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment is not None else NOT_KNOWN


def _price(amount: Decimal | None) -> str:
    return f"{amount:,.2f}" if amount is not None else NOT_KNOWN


def no_plans(target: PlanTarget, query: PlanQuery, regions: Sequence[str]) -> str:
    """The line for a target without an offer in the Regions that were read."""
    return f"No training plan for {target.name}: {query.summary} in {', '.join(regions)}."


def unread_lines(unread: Sequence[UnreadPlans]) -> Iterator[str]:
    """Plans that were not read, with the reason: one of a Region for several targets is reported once."""
    targets: dict[tuple[str, str, str], list[str]] = {}
    for each in unread:
        targets.setdefault((each.region, each.message, each.hint), []).append(each.target)
    for (region, message, hint), names in targets.items():
        yield (
            f"{region}: training plans for {' and '.join(names)} were not read: {message}"
            f"{f' (hint: {hint})' if hint else ''}"
        )


def before_plan_purchase(offer: PlanOffer, purchase: PurchaseCommand) -> str:
    """The line above the command that buys a plan."""
    price = (
        f"that takes {_price(offer.offering.upfront_fee)} {offer.offering.currency} at once and cannot be undone"
        if purchase.endpoint is None
        else "the local AWS takes no money"
    )
    return f"To buy the first plan for {offer.target.name} ({price}; nothing was bought now):"


def after_plan_purchase(row: TrainingPlanType, purchase: PurchaseCommand) -> str:
    """The lines below the commands: what a plan is not, and where the other commands are."""
    names = " and ".join(target.name for target in row.targets)
    others = " `--format json` has the commands that buy the other plans." if purchase.is_open else ""
    return (
        f"A training plan cannot be changed or shared after the purchase, and plans for {names} are not exchangeable. "
        f"It starts {row.lead_minutes} minutes after the search at the earliest; a group or job can have it when "
        f"`aws sagemaker describe-training-plan` shows Scheduled or Active.{others}"
    )


def plans_as_data(
    query: PlanQuery, regions: Sequence[str], found: PlanOfferings, purchase: PurchaseCommand
) -> dict[str, Any]:
    return {
        "query": {
            "instance_type": query.row.name,
            "count": query.count,
            "hours": query.hours,
            "targets": [target.name for target in query.row.targets],
            "regions": [] if query.impossible else list(regions),
        },
        "not_queried": query.impossible,
        "offers": [_offer_as_data(offer, purchase) for offer in found.offers],
        "unread": [asdict(each) for each in found.unread],
    }


def _offer_as_data(offer: PlanOffer, purchase: PurchaseCommand) -> dict[str, Any]:
    fee, hours, hourly = offer.offering.upfront_fee, offer.hours, offer.per_instance_hour
    return {
        "region": offer.region,
        "target": offer.target.name,
        "start": _iso(offer.start),
        "end": _iso(offer.end),
        "ends_early_minutes": offer.target.ends_early_minutes,
        "hours": round(float(hours), 4) if hours is not None else None,
        "count": offer.count,
        "currency": offer.offering.currency,
        "total": float(fee) if fee is not None else None,
        "per_instance_hour": round(float(hourly), 4) if hourly is not None else None,
        "capacities": [
            {"zone_id": each.zone_id, "count": each.count, "start": _iso(each.start), "end": _iso(each.end)}
            for each in offer.offering.capacities
        ],
        "plan_name": plan_name(offer),
        "offering_id": offer.offering.id,
        "purchase": shlex.join(plan_arguments(offer, purchase)) if purchase.is_open else None,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
