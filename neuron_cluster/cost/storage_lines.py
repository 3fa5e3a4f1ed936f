"""File systems and buckets as lines and rates: the list of ``storage_list`` with units and prices of the catalog."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.storage_price import StoragePrice
from neuron_cluster.checkpoints import monthly_cost
from neuron_cluster.cost.model import UNKNOWN, CostLine, Period, Rate, Section, UnitPrice, always
from neuron_cluster.cost.storage_list import decided_storage, used_storage
from neuron_cluster.cost.unit_prices import no_price_of
from neuron_cluster.plan.cluster_plan import ClusterPlan

UNIT = "GB-month"
"""The unit of a file system without a row of prices."""


def storage_lines(plan: ClusterPlan, catalog: Catalog) -> Iterator[CostLine]:
    """Returns lines of storage that the file decides: existing file systems are billed to owners, buckets by use."""
    return (_line(each, plan.region) for each in decided_storage(plan, catalog))


def storage_rates(plan: ClusterPlan, catalog: Catalog) -> Iterator[Rate]:
    """Yields rates of storage that the file does not decide, one for each row of the catalog."""
    for used in used_storage(plan, catalog):
        for name, unit in used.prices.items():
            row = catalog.storage_prices[name]
            price = _unit_price(row, used.region)
            reason = no_price_of(used.what, used.region) if price is None else None
            yield Rate(name, f"{used.what}, {unit}", row.unit, price, reason)


def _line(line: monthly_cost.CostLine, region: str) -> CostLine:
    row, billed_in = line.price, line.region or region
    price = _unit_price(row, billed_in) if row is not None else None
    if row is None or price is None or line.amount is None:
        return _unknown(line, billed_in)
    return CostLine(
        section=Section.STORAGE,
        name=row.name,
        what=line.what,
        unit=row.unit,
        quantities=always(line.amount),
        period=Period.MONTH,
        price=price,
        price_key=row.name,
        stepped_usd=line.usd,
    )


def _unit_price(row: StoragePrice, region: str) -> UnitPrice | None:
    """Returns the price of the first unit; None where no source has it."""
    usd = row.regions.get(region)
    if usd is None:
        return None
    return UnitPrice(usd=usd, source=row.source, as_of=row.checked_on, doubt=row.doubtful_regions.get(region))


def _unknown(line: monthly_cost.CostLine, region: str) -> CostLine:
    """With the amount of the file, if it decides one."""
    return CostLine(
        section=Section.STORAGE,
        name=line.what,
        what=line.what,
        unit=line.price.unit if line.price is not None else UNIT,
        quantities=always(line.amount) if line.amount is not None else UNKNOWN,
        period=Period.MONTH,
        price=None,
        why_unknown=no_price_of(line.what, region),
        price_key=line.price.name if line.price is not None else "",
    )
