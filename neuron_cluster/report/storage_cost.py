"""Monthly cost of storage in `plan`: a line for each section of ``storage``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.checkpoints.monthly_cost import CostLine, at_least, total
from neuron_cluster.cost import model
from neuron_cluster.cost.machine_lines import home_lines
from neuron_cluster.cost.own_prices import own_priced, own_priced_storage
from neuron_cluster.cost.storage_list import UsedStorage, decided_storage, used_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.checkpoint_page import total_text, usd_text
from neuron_cluster.report.efs_page import price_list
from neuron_cluster.table import Table

NOT_PLANNED = "the stored amount is not in the file"
BY_USE = "by use"
NOTE = "Reference prices, without traffic and requests that read. ?: in doubt, see `neuron-cluster catalog prices`."


def storage_costs(plan: ClusterPlan, catalog: Catalog) -> tuple[CostLine, ...]:
    """Returns lines of storage whose size the file decides; without USD where no source has the price of the Region."""
    return (*(own_priced_storage(each, plan.prices) for each in decided_storage(plan, catalog)), *_homes(plan, catalog))


def storage_cost_as_data(plan: ClusterPlan, catalog: Catalog) -> dict[str, Any] | None:
    """USD a month; None without storage. ``total``, without ``by_use``, is None where a line has no price."""
    lines, used = storage_costs(plan, catalog), used_storage(plan, catalog)
    if not lines and not used:
        return None
    return {
        "lines": [{"what": each.what, "usd": each.usd, "formula": each.formula, "doubt": each.doubt} for each in lines],
        "by_use": [
            {"what": each.what, "service": each.service, "formula": _used_formula(each, catalog)} for each in used
        ],
        "total": total(lines),
        "at_least": at_least(lines),
    }


def storage_cost_table(plan: ClusterPlan, catalog: Catalog) -> Table:
    """Without rows where the environment has no data."""
    lines, used = storage_costs(plan, catalog), used_storage(plan, catalog)
    rows = [(each.what, f"{usd_text(each.usd)}{' ?' if each.doubt else ''}", each.formula) for each in lines]
    rows += [(each.what, BY_USE, _used_formula(each, catalog)) for each in used]
    if rows:
        without = f", without what is billed {BY_USE}" if used else ""
        rows.append(("total", total_text(lines), f"30 days{without}"))
    return Table(f"Storage, USD a month in {plan.region}", ("what", "USD", "formula"), tuple(rows), NOTE)


def _homes(plan: ClusterPlan, catalog: Catalog) -> Iterator[CostLine]:
    """The lines that `cost` has among the volumes."""
    for line in (own_priced(each, plan.prices) for each in home_lines(plan, catalog)):
        size = line.quantities.desired
        size_text = f"{size:,.0f} {line.unit}"
        no_price = f"no price of {plan.region} is known"
        price = f"{line.price.usd:g} USD per {line.unit} and month" if line.price is not None else no_price
        doubt = line.price.doubt if line.price is not None else None
        yield CostLine(line.name, f"{size_text}, {price}", line.monthly(model.Scenario.DESIRED), doubt)


def _used_formula(used: UsedStorage, catalog: Catalog) -> str:
    known = price_list(used.prices, used.region, catalog) if used.prices else ""
    return f"{known or f'no price of {used.region} is known'}; {NOT_PLANNED}"
