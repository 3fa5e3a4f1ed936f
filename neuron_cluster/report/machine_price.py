"""Hourly price of instances of which a template has type, count and purchase option alone."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.model import CostLine, Period, Quantities, Section
from neuron_cluster.cost.unit_prices import instance_price, why_unknown
from neuron_cluster.report.price import GroupPrice, dollars, group_price


def machine_price(
    name: str, machine: tuple[str, str], counts: tuple[int | None, int | None], region: str, catalog: Catalog
) -> GroupPrice:
    """USD an hour by the catalog's reference price, at the desired and at the greatest count.

    ``machine`` is the instance type and the purchase option as CloudFormation spells it.
    """
    instance_type, kind = machine[0], machine[1].lower()
    row = catalog.instance_types.get(instance_type)
    listed = row.on_demand_price(region) if row is not None else None
    price = instance_price(instance_type, kind, listed, region, catalog)
    line = CostLine(
        section=Section.INSTANCES,
        name=name,
        what=instance_type,
        unit="instance",
        quantities=Quantities(None, *counts),
        period=Period.HOUR,
        price=price,
        why_unknown=why_unknown(kind) if price is None else None,
    )
    return group_price(line)


def describe_price(prices: Iterable[GroupPrice]) -> str:
    """The sum at the desired counts; a lower bound where a price is not known; ``-`` without instances."""
    machines = list(prices)
    known = [price.desired_usd for price in machines if price.desired_usd is not None]
    if not machines:
        return "-"
    if not known:
        return dollars(None)
    return f"{'at least ' if len(known) < len(machines) else ''}{dollars(round(sum(known), 4))}"
