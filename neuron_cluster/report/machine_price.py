"""Hourly price of instances of which a template has type, count and purchase option alone."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.report.price import WITHOUT_LIST_PRICE, GroupPrice, dollars, times


def machine_price(
    name: str, machine: tuple[str, str], counts: tuple[int | None, int | None], region: str, catalog: Catalog
) -> GroupPrice:
    """USD an hour by the catalog's on-demand reference price, at the desired and at the greatest count.

    ``machine`` is the instance type and the purchase option as CloudFormation spells it.
    """
    instance_type, capacity_type = machine
    row = catalog.instance_type(instance_type)
    usd = row.on_demand_price(region) if row is not None and capacity_type.lower() not in WITHOUT_LIST_PRICE else None
    desired, maximum = (None if count is None else times(usd, count) for count in counts)
    why_not = WITHOUT_LIST_PRICE.get(capacity_type.lower(), "the catalog has no price of this type in this Region")
    as_of = row.on_demand_usd_hour_as_of if row is not None and usd is not None else None
    return GroupPrice(name, usd, desired, maximum, as_of, why_not if usd is None else None)


def describe_price(prices: Iterable[GroupPrice]) -> str:
    """The sum at the desired counts; a lower bound where a price is not known; ``-`` without instances."""
    machines = list(prices)
    known = [price.desired_usd for price in machines if price.desired_usd is not None]
    if not machines:
        return "-"
    if not known:
        return dollars(None)
    return f"{'at least ' if len(known) < len(machines) else ''}{dollars(round(sum(known), 4))}"
