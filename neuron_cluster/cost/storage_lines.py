"""File systems and buckets: the lines of ``checkpoints.monthly_cost``, and what no checkpoints are planned for."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.storage_price import storage_prices
from neuron_cluster.checkpoints import monthly_cost
from neuron_cluster.cost.model import CostLine, Period, Section, UnitPrice, always
from neuron_cluster.cost.unit_prices import no_price_of
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage, file_system_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.storage_plan import LustrePlan

LUSTRE = "FSx for Lustre"


def storage_lines(plan: ClusterPlan) -> Iterator[CostLine]:
    """Of what the file has: a file system that exists is billed to its owner, a bucket by what is stored."""
    if plan.storage is None:
        return
    lustre = plan.storage.lustre
    if lustre is not None and lustre.existing is None:
        yield _lustre_line(lustre, plan.region)
    checkpoints = checkpoint_storage(plan.storage, plan.region)
    given = checkpoints.given if checkpoints is not None else None
    for line in given.costs if given is not None else ():
        if not line.what.startswith(LUSTRE):
            yield _line(line, plan.region)


def _lustre_line(lustre: LustrePlan, region: str) -> CostLine:
    file_system = file_system_of(lustre)
    if file_system is not None:
        return _line(monthly_cost.lustre_line(file_system, storage_prices(), region), region)
    what = f"{LUSTRE} {lustre.deployment_type}"
    return _unknown(what, lustre.capacity_gib or 1, "GiB" if lustre.capacity_gib is not None else "file system", region)


def _line(line: monthly_cost.CostLine, region: str) -> CostLine:
    row = line.price
    if row is None or line.amount is None:
        return _unknown(line.what, 1, "month", region)
    price = UnitPrice(
        usd=row.regions[region],
        source=row.source,
        as_of=row.checked_on,
        doubt=line.doubt,
    )
    return CostLine(
        section=Section.STORAGE,
        name=row.name,
        what=line.what,
        unit=row.unit,
        quantities=always(line.amount),
        period=Period.MONTH,
        price=price,
        stepped_usd=line.usd,
    )


def _unknown(what: str, quantity: float, unit: str, region: str) -> CostLine:
    return CostLine(
        section=Section.STORAGE,
        name=what,
        what=what,
        unit=unit,
        quantities=always(quantity),
        period=Period.MONTH,
        price=None,
        why_unknown=no_price_of(what, region),
    )
