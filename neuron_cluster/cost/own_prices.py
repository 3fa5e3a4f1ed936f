"""Prices of the environment file, in the place of those of the catalog: of another Region, or of a contract."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from neuron_cluster.checkpoints import monthly_cost
from neuron_cluster.cost.model import CostLine, Rate, UnitPrice

SOURCE = "prices of the environment file"


def own_priced(line: CostLine, prices: Mapping[str, float]) -> CostLine:
    """The line with the price that the file has for its key; else the line itself."""
    usd = prices.get(line.price_key)
    if usd is None:
        return line
    return structs.replace(line, price=_unit_price(usd), why_unknown=None, stepped_usd=None)


def own_priced_rate(rate: Rate, prices: Mapping[str, float]) -> Rate:
    """The same of what is billed by use."""
    usd = prices.get(rate.name)
    return rate if usd is None else structs.replace(rate, price=_unit_price(usd), why_unknown=None)


def own_priced_storage(line: monthly_cost.CostLine, prices: Mapping[str, float]) -> monthly_cost.CostLine:
    """The same of a line of `plan`, whose formula shows the price."""
    usd = prices.get(line.price.name) if line.price is not None else None
    if usd is None or line.price is None or line.amount is None:
        return line
    formula = f"{line.amount:,.0f} x {usd:g} USD per {monthly_cost.unit_words(line.price)} ({SOURCE})"
    return structs.replace(line, usd=line.amount * usd, formula=formula, doubt=None)


def _unit_price(usd: float) -> UnitPrice:
    return UnitPrice(usd=usd, source=SOURCE, as_of=None)
