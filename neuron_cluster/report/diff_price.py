"""What the machines cost before and after an edit."""

from __future__ import annotations

from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, dollars, price_sentence
from neuron_cluster.table import Table

ABSENT = "-"


def price_table(before: EnvironmentPrice | None, after: EnvironmentPrice) -> Table:
    """Dollars an hour by node group and in all; only the new ones where the plan before is not known."""
    old = {group.name: group for group in before.groups} if before is not None else {}
    new = {group.name: group for group in after.groups}
    rows = [(name, *_cells(old.get(name), new.get(name))) for name in dict.fromkeys([*old, *new])]
    total_before = (dollars(before.desired_usd), dollars(before.max_usd)) if before is not None else (ABSENT, ABSENT)
    rows.append(("in all", total_before[0], dollars(after.desired_usd), total_before[1], dollars(after.max_usd)))
    note = price_sentence(after)
    if before is None:
        columns: tuple[str, ...] = ("node group", "at desired", "at most")
        return Table("Cost an hour", columns, tuple((row[0], row[2], row[4]) for row in rows), note)
    columns = ("node group", "at desired, before", "after", "at most, before", "after")
    return Table("Cost an hour", columns, tuple(rows), note)


def _cells(old: GroupPrice | None, new: GroupPrice | None) -> tuple[str, str, str, str]:
    desired = tuple(ABSENT if group is None else dollars(group.desired_usd) for group in (old, new))
    most = tuple(ABSENT if group is None else dollars(group.max_usd) for group in (old, new))
    return desired[0], desired[1], most[0], most[1]
