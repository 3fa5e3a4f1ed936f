"""Capacity blocks: paid once, when they are bought."""

from __future__ import annotations

from datetime import datetime

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.model import DIGITS, BlockCost
from neuron_cluster.cost.unit_prices import BLOCK, purchase_unit_price
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan

SECONDS_PER_HOUR = 3600
NO_DATES = "the file has no dates of the block (`capacity.starts`, `capacity.ends`)"
NO_OFFER = "the catalog has no price of a block of this type in this Region"


def block_cost(group: ComputeGroupPlan, region: str, catalog: Catalog) -> BlockCost:
    """The whole block of a group: as many instances as the group may have, from start to end."""
    purchase, machine = group.machine.purchase, group.machine
    price = purchase_unit_price(catalog.purchase_prices.of_instance(machine.instance_type, BLOCK), region)
    hours = _hours(purchase.starts, purchase.ends)
    instances = group.scaling.maximum
    usd = None
    if price is not None and hours is not None and instances is not None:
        usd = round(price.usd * hours * instances, DIGITS)
    return BlockCost(
        group=group.name,
        instance_type=machine.instance_type,
        instances=instances,
        starts=purchase.starts,
        ends=purchase.ends,
        hours=hours,
        price=price,
        usd=usd,
        why_unknown=None if usd is not None else NO_OFFER if price is None else NO_DATES,
        team=group.team,
    )


def _hours(starts: str | None, ends: str | None) -> float | None:
    """Between both; None without one of them."""
    if starts is None or ends is None:
        return None
    length = datetime.fromisoformat(ends) - datetime.fromisoformat(starts)
    return length.total_seconds() / SECONDS_PER_HOUR
