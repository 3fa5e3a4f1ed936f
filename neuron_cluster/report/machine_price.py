"""What machines cost an hour that are known by their instance type alone, such as those that are deployed."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.report.price import GroupPrice, dollars


def machine_price(
    name: str, instance_type: str, counts: tuple[int | None, int | None], region: str, catalog: Catalog
) -> GroupPrice:
    """USD an hour by the catalog's on-demand reference price, at the desired and at the greatest count."""
    row = catalog.instance_type(instance_type)
    usd = row.on_demand_price(region) if row is not None else None
    desired, most = (None if usd is None or count is None else round(usd * count, 4) for count in counts)
    as_of = row.on_demand_usd_hour_as_of if row is not None and usd is not None else None
    return GroupPrice(name, usd, desired, most, as_of)


def price_words(prices: Iterable[GroupPrice]) -> str:
    """The sum at the desired counts; a lower bound where a price is not known; ``-`` without machines."""
    machines = list(prices)
    known = [price.desired_usd for price in machines if price.desired_usd is not None]
    if not machines:
        return "-"
    if not known:
        return dollars(None)
    return f"{'at least ' if len(known) < len(machines) else ''}{dollars(round(sum(known), 4))}"
