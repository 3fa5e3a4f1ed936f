"""The tables below the summary of a plan: what a person decides on, in a few rows each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import starmap

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.storage_list import used_storage
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT, ComputeGroupPlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.team import Team
from neuron_cluster.report.checkpoint_page import total_text, usd_text
from neuron_cluster.report.cost_page import DOUBT_MARK
from neuron_cluster.report.device_counts import device_counts, devices_text
from neuron_cluster.report.price import NOT_KNOWN, GroupPrice, price_of
from neuron_cluster.report.storage_cost import BY_USE, storage_costs
from neuron_cluster.table import Table

MOST_GROUPS, MOST_STORES, MOST_SUBNETS, MOST_TEAMS = 7, 5, 4, 3
"""Rows of each kind; the last one counts the rest."""
DOUBT_NOTE = "?: a price in doubt."

Row = tuple[str, ...]
Priced = tuple[ComputeGroupPlan, GroupPrice]


def overview_tables(plan: ClusterPlan, catalog: Catalog) -> list[Table]:
    """Groups with their instances, devices and prices; then storage, subnets and teams."""
    tables = [_groups(plan, catalog), _rest(plan, catalog)]
    return [table for table in tables if table.rows]


def _groups(plan: ClusterPlan, catalog: Catalog) -> Table:
    price = price_of(plan, catalog)
    pairs = list(zip(plan.compute_groups, price.machines, strict=True))
    rows = [_group_row(group, each, catalog) for group, each in pairs]
    if len(rows) > MOST_GROUPS:
        rows = _capped(_type_rows(pairs, catalog), MOST_GROUPS, "type")
    if len(pairs) > 1:
        count, devices = _counts([group for group, _ in pairs]), device_counts(plan.compute_groups, catalog)
        sums = ((price.desired_usd, price.desired_at_least_usd), (price.max_usd, price.max_at_least_usd))
        rows.append(
            ("in all", "", count, f"{devices.desired:,}" if devices.maximum else "-", "", *starmap(_total, sums))
        )
    columns = ("group", "instances", "min, desired, max", "devices", "purchase option", "an hour", "at max")
    return Table("Compute groups, with Neuron devices and prices at the desired count", columns, tuple(rows))


def _group_row(group: ComputeGroupPlan, price: GroupPrice, catalog: Catalog) -> Row:
    return (group.name, *_cells([group], catalog), _cents(price.desired_usd), _cents(price.max_usd))


def _type_rows(pairs: Sequence[Priced], catalog: Catalog) -> list[Row]:
    """A row for the groups of one instance type and purchase option."""
    alike: dict[tuple[str, str], list[Priced]] = {}
    for group, price in pairs:
        alike.setdefault((group.machine.instance_type, group.machine.purchase.kind), []).append((group, price))
    return [_type_row(found, catalog) for found in alike.values()]


def _type_row(pairs: Sequence[Priced], catalog: Catalog) -> Row:
    if len(pairs) == 1:
        return _group_row(*pairs[0], catalog)
    groups, prices = [group for group, _ in pairs], [price for _, price in pairs]
    sums = (_sum([price.desired_usd for price in prices]), _sum([price.max_usd for price in prices]))
    return (counted(len(groups), "group"), *_cells(groups, catalog), *map(_cents, sums))


def _sum(parts: Sequence[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _cells(groups: Sequence[ComputeGroupPlan], catalog: Catalog) -> Row:
    """Returns the common cells of groups of one type."""
    machine, counts = groups[0].machine, device_counts(groups, catalog)
    ends = sorted({group.machine.purchase.ends for group in groups if group.machine.purchase.ends})
    purchase = machine.purchase.kind.replace("_", " ") + (f" to {ends[0][:10]}" if ends else "")
    return (machine.instance_type, _counts(groups), f"{counts.desired:,}" if counts.maximum else "-", purchase)


def _cents(usd: float | None) -> str:
    """Rounded, so that the table fits 80 columns; ``--details`` has fractions of cents."""
    return NOT_KNOWN if usd is None else f"${usd:,.2f}"


def _total(exact: float | None, at_least: float | None) -> str:
    return f"at least {_cents(at_least)}" if exact is None and at_least else _cents(exact)


def _counts(groups: Sequence[ComputeGroupPlan]) -> str:
    has_limit = all(group.has_limit for group in groups)
    most = f"{sum(group.known_maximum for group in groups):,}" if has_limit else NO_LIMIT
    return f"{sum(group.min for group in groups):,}/{sum(group.desired for group in groups):,}/{most}"


def _rest(plan: ClusterPlan, catalog: Catalog) -> Table:
    parts = {
        "storage": _storage(plan, catalog),
        "private subnets": _capped(list(_subnets(plan)), MOST_SUBNETS, "subnet"),
        "teams": _capped([(f"team {team.name}", _team(team)) for team in plan.teams], MOST_TEAMS, "team"),
    }
    rows = tuple(row for found in parts.values() for row in found)
    title = listed(name for name, found in parts.items() if found)
    note = DOUBT_NOTE if any(how.endswith(DOUBT_MARK) for _, how in rows) else ""
    return Table(f"{title[:1].upper()}{title[1:]}", ("what", "how"), rows, note)


def _storage(plan: ClusterPlan, catalog: Catalog) -> list[Row]:
    lines = storage_costs(plan, catalog)
    rows: list[Row] = [
        (each.what, f"{usd_text(each.usd)} USD a month{DOUBT_MARK if each.doubt else ''}") for each in lines
    ]
    rows += [(each.what, f"billed {BY_USE}") for each in used_storage(plan, catalog)]
    shown = _capped(rows, MOST_STORES, "line")
    if lines and len(rows) > 1:
        shown.append(("storage in all", f"{total_text(lines)} USD a month, without use"))
    return shown


def _subnets(plan: ClusterPlan) -> Iterator[Row]:
    """Subnets of nodes, which an edit cannot make larger."""
    for subnet in plan.addresses:
        if subnet.kind != SubnetTier.PUBLIC.value:
            left = f"{subnet.left:,} of {subnet.has:,} addresses left at the maximum sizes"
            yield f"{subnet.kind} subnet {subnet.zone_id}", f"{subnet.cidr}, {left}"


def _team(team: Team) -> str:
    quotas = [f"{devices_text(quota.devices)} of {quota.node_group}" for quota in team.quota]
    return ", ".join(quotas) or "without a quota"


def _capped(rows: list[Row], most: int, noun: str) -> list[Row]:
    """At most so many rows; where there are more, the last one counts them."""
    if len(rows) <= most:
        return rows
    rest = counted(len(rows) - most + 1, f"more {noun}")
    return [*rows[: most - 1], (rest, *[""] * (len(rows[0]) - 1))]
