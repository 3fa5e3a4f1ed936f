"""The price of the instances before and after an edit."""

from __future__ import annotations

from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, dollars, price_sentence, total
from neuron_cluster.table import Table

ABSENT = "-"


def price_table(before: EnvironmentPrice | None, after: EnvironmentPrice) -> Table:
    """Dollars an hour by node group and workstation, and in all; the new ones alone without a plan before."""
    old = {group.name: group for group in before.machines} if before is not None else {}
    new = {group.name: group for group in after.machines}
    rows = [(name, *_cells(old.get(name), new.get(name))) for name in dict.fromkeys([*old, *new])]
    total_before, total_after = _totals(before) if before is not None else (ABSENT, ABSENT), _totals(after)
    rows.append(("in all", total_before[0], total_after[0], total_before[1], total_after[1]))
    note = price_sentence(after)
    if before is None:
        columns: tuple[str, ...] = ("instances", "at desired", "at most")
        return Table("Cost an hour", columns, tuple((row[0], row[2], row[4]) for row in rows), note)
    columns = ("instances", "at desired, before", "after", "at most, before", "after")
    return Table("Cost an hour", columns, tuple(rows), note)


def _totals(price: EnvironmentPrice) -> tuple[str, str]:
    """At the desired counts and at most; instances without a price make the sum a lower bound, or unknown."""
    return total(price.desired_usd, price.desired_at_least_usd), total(price.max_usd, price.max_at_least_usd)


def _cells(old: GroupPrice | None, new: GroupPrice | None) -> tuple[str, str, str, str]:
    desired = tuple(ABSENT if group is None else dollars(group.desired_usd) for group in (old, new))
    maximum = tuple(ABSENT if group is None else dollars(group.max_usd) for group in (old, new))
    return desired[0], desired[1], maximum[0], maximum[1]
