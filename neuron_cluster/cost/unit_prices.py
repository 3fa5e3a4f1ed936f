"""Prices of the catalog as unit prices of a line, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.cost.model import Period, UnitPrice

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.purchase_price import PurchasePrice

SPOT, BLOCK, PLAN = "spot", "capacity_block", "training_plan"
NO_PRICE = "the catalog has no price of this type in this Region"
WHY_UNKNOWN = {
    SPOT: "the spot price changes",
    BLOCK: "a capacity block is paid for when it is bought: `neuron-cluster capacity offers` has prices",
    PLAN: "a training plan is paid for when it is bought: `neuron-cluster capacity search` has prices",
}
"""The reason why the on-demand price is not that of the instances, by purchase option."""


def instance_price(
    instance_type: str, purchase_option: str, on_demand_usd: float | None, region: str, catalog: Catalog
) -> UnitPrice | None:
    """Returns the price of an instance-hour: on demand and in a reservation the list price, on Spot that of a source.

    None in a capacity block or training plan, which is not billed by the hour.
    """
    if purchase_option in (BLOCK, PLAN):
        return None
    if purchase_option == SPOT:
        return purchase_unit_price(catalog.purchase_prices.of_instance(instance_type, SPOT), region)
    row = catalog.instance_types.get(instance_type)
    if row is None or on_demand_usd is None or row.on_demand_usd_hour_as_of is None:
        return None
    return UnitPrice(
        usd=on_demand_usd,
        source=row.on_demand_usd_hour_source or row.source,
        as_of=row.on_demand_usd_hour_as_of,
        doubt=row.doubt_about("on_demand_usd_hour"),
    )


def instance_price_key(instance_type: str, purchase_option: str) -> str:
    """Returns the key with which the file sets a price; empty for a capacity block or plan, which is paid for once."""
    return {BLOCK: "", PLAN: "", SPOT: f"{SPOT}-{instance_type}"}.get(purchase_option, instance_type)


def purchase_unit_price(row: PurchasePrice | None, region: str) -> UnitPrice | None:
    """Returns the price of one Region; None where no source has it."""
    usd = row.regions.get(region) if row is not None else None
    if row is None or usd is None:
        return None
    return UnitPrice(
        usd=usd,
        source=row.source,
        as_of=row.checked_on,
        doubt=row.doubtful_regions.get(region) or row.doubt_about("regions"),
        is_spot=row.purchase_option == SPOT,
    )


def service_unit_price(name: str, region: str, partition: str, catalog: Catalog) -> UnitPrice | None:
    """Returns the price of a row of ``service_prices``; None where no source has it."""
    row = catalog.service_prices[name]
    usd = row.usd(region, partition)
    if usd is None:
        return None
    return UnitPrice(
        usd=usd,
        source=row.source,
        as_of=row.checked_on,
        doubt=row.doubtful_regions.get(region) or row.doubt_about("regions") or row.doubt_about("usd_everywhere"),
    )


def service_period(name: str, catalog: Catalog) -> Period:
    """Returns the period of the price of a row of ``service_prices``."""
    return Period.HOUR if catalog.service_prices[name].unit == "hour" else Period.MONTH


def why_unknown(purchase_option: str) -> str:
    """The reason in words."""
    return WHY_UNKNOWN.get(purchase_option, NO_PRICE)


def no_price_of(what: str, region: str) -> str:
    """The reason for what is not an instance."""
    return f"the catalog has no price of {what} in {region}"
