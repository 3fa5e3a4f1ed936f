"""The cost of an environment as tables and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from neuron_cluster.catalog.service_price import HOURS_PER_MONTH
from neuron_cluster.cost.environment_cost import EnvironmentCost, hourly, monthly
from neuron_cluster.cost.model import (
    BlockCost,
    CostLine,
    Period,
    Rate,
    Scenario,
    Section,
    Sum,
    UnitPrice,
)
from neuron_cluster.cost.own_prices import SOURCE
from neuron_cluster.cost.shares import Share, ShareKind, shares
from neuron_cluster.plan.compute_group_plan import NO_LIMIT
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.price import dollars
from neuron_cluster.table import Table

UNKNOWN = "unknown"
DOUBT_MARK, SPOT_MARK = " ?", " spot"
CENT = 0.01
SHARE_TITLES = {ShareKind.SHARED: "Neuron instances, no team", ShareKind.OVERHEAD: "overhead"}
OVERHEAD_NOTE = "overhead: what the environment costs without its Neuron instances and without what names a team."
SCENARIOS = tuple(Scenario)
COLUMNS = tuple(each.value for each in SCENARIOS)
BILLED_UNITS = {"GB-month": "/GB-month", "1000-requests": "/1,000", "GB": "/GB"}
"""Units that name what a price is for; of others the title of the line does."""
PERIODS = {Period.HOUR: "/h", Period.MONTH: "/month"}


def cost_tables(cost: EnvironmentCost) -> list[Table]:
    """The sums first, by team too, then a table for each section, blocks, and the rates of what is billed by use."""
    tables = [_totals_table(cost), _shares_table(cost), *(_section_table(section, cost) for section in Section)]
    tables += [_blocks_table(cost), _rates_table(cost)]
    return [table for table in tables if table.rows]


def closing_sentences(cost: EnvironmentCost) -> Iterator[str]:
    """Unknown prices with the reason, what is in no sum, the meaning of marks, and how old the prices are."""
    if unknown := list(_unknown_prices(cost.lines)):
        keys = dict.fromkeys(each.price_key for each in cost.lines if each.price is None and each.price_key)
        own = f" Give your own in the file: prices: {{{', '.join(f'{key}: USD' for key in keys)}}}." if keys else ""
        yield f"Unknown prices: {'; '.join(unknown)}. A sum with one of these is a lower bound.{own}"
    if cost.blocks:
        yield "Instances of a capacity block are in no sum an hour or a month: the block is paid for when it is bought."
    later = cost.extended_support
    if later is not None:
        yield (
            f"Standard support of Kubernetes {later.kubernetes} ends on {later.extended_since}: from then on the "
            f"control plane costs {dollars(later.usd_hour)} an hour."
        )
    yield f"Billed by use, in no sum: {', '.join(cost.by_use)}."
    prices = [line.price for line in cost.lines if line.price is not None]
    if prices:
        if dates := [price.as_of for price in prices if price.as_of is not None]:
            yield f"Reference prices, dated {min(dates)} to {max(dates)}, without taxes, discounts and the free tier."
        if any(price.source == SOURCE for price in prices):
            yield f"Some are {SOURCE}."
        yield (
            f"A month has {HOURS_PER_MONTH} hours; an hour of what is billed by the month is its {HOURS_PER_MONTH}th "
            "part. ?: in doubt, `--format json` has source and reason."
        )
    if any(price.is_spot for price in prices):
        yield "spot: a price that was seen once; Spot prices change."


def month_sentence(cost: EnvironmentCost) -> str:
    """The sum of a month in words, for the plan."""
    usd = sum_text(monthly(cost.lines, Scenario.DESIRED))
    without = "capacity blocks and what is billed by use" if cost.blocks else "what is billed by use"
    all_lines = "`neuron-cluster cost NAME` shows each line"
    return f"In all: {usd} USD a month at the desired count, without {without}; {all_lines}."


def _unknown_prices(lines: Sequence[CostLine]) -> Iterator[str]:
    """Each reason with the lines that it is about."""
    names: dict[str, dict[str, None]] = {}
    for line in lines:
        if line.why_unknown is not None:
            names.setdefault(line.why_unknown, {})[line.name] = None
    yield from (f"{', '.join(of_reason)} ({reason})" for reason, of_reason in names.items())


def _totals_table(cost: EnvironmentCost) -> Table:
    rows = (
        ("an hour", *(sum_text(hourly(cost.lines, each)) for each in SCENARIOS)),
        (f"a month ({HOURS_PER_MONTH} hours)", *(sum_text(monthly(cost.lines, each)) for each in SCENARIOS)),
    )
    note = "idle: groups at their minimum, workstations that stop by themselves stopped. desired: the first deployment."
    return Table(f"{cost.environment} in {cost.region} on {cost.on}, USD", ("in all", *COLUMNS), rows, note)


def _shares_table(cost: EnvironmentCost) -> Table:
    rows = tuple(_share_row(share, cost) for share in shares(cost))
    columns = ("share", *COLUMNS, *(("blocks, once",) if cost.blocks else ()))
    return Table("USD a month by team", columns, rows, OVERHEAD_NOTE)


def _share_row(share: Share, cost: EnvironmentCost) -> tuple[str, ...]:
    title = SHARE_TITLES.get(share.kind, f"team {share.name}")
    sums = (sum_text(monthly(share.lines, each)) for each in SCENARIOS)
    blocks = sum_text(share.blocks_usd) if share.blocks else "-"
    return (title, *sums, *((blocks,) if cost.blocks else ()))


def _section_table(section: Section, cost: EnvironmentCost) -> Table:
    rows = tuple(_line_row(line) for line in cost.lines if line.section is section)
    return Table(f"USD a month: {section.value}", (section.value, "units", "price", *COLUMNS), rows)


def _line_row(line: CostLine) -> tuple[str, ...]:
    is_of_group = line.section in (Section.INSTANCES, Section.VOLUMES)
    title = f"{line.name}: {line.what}" if is_of_group else line.what
    amounts = (usd_text(line.monthly(each)) for each in SCENARIOS)
    return (title, _units(line), _price(line.price, line.unit, line.period), *amounts)


def _units(line: CostLine) -> str:
    without = UNKNOWN if line.section is Section.STORAGE else NO_LIMIT
    texts = [without if each is None else f"{each:,.0f}" for each in line.quantities.all]
    return texts[0] if len(set(texts)) == 1 else "/".join(texts)


def _price(price: UnitPrice | None, unit: str, period: Period) -> str:
    if price is None:
        return UNKNOWN
    of = BILLED_UNITS.get(unit, PERIODS[period])
    mark = SPOT_MARK if price.is_spot else DOUBT_MARK if price.doubt else ""
    return f"{price.usd:g} {of}{mark}"


def _blocks_table(cost: EnvironmentCost) -> Table:
    rows = [_block_row(block) for block in cost.blocks]
    if len(rows) > 1:
        rows.append(("in all", "", "", "", "", sum_text(cost.blocks_usd)))
    columns = ("capacity block", "instances", "from", "to", "price", "USD, once")
    return Table("Capacity blocks, paid for when they are bought", columns, tuple(rows), _block_note(cost.blocks))


def _block_row(block: BlockCost) -> tuple[str, ...]:
    return (
        f"{block.group}: {block.instance_type}",
        NO_LIMIT if block.instances is None else str(block.instances),
        block.starts or UNKNOWN,
        block.ends or UNKNOWN,
        _price(block.price, "instance", Period.HOUR),
        usd_text(block.usd),
    )


def _block_note(blocks: Sequence[BlockCost]) -> str:
    reasons = [f"{block.group}: {block.why_unknown}." for block in blocks if block.why_unknown is not None]
    return " ".join(reasons)


def _rates_table(cost: EnvironmentCost) -> Table:
    rows = tuple((rate.what, _price(rate.price, rate.unit, Period.MONTH)) for rate in cost.rates)
    return Table("Rates of what is billed by use, in no sum", ("what", "price"), rows)


def usd_text(usd: float | None) -> str:
    """``1,344.00``; fractions of a cent only below one; an amount that is not known is ``unknown``, never 0."""
    if usd is None:
        return UNKNOWN
    return f"{usd:,.4f}" if 0 < usd < CENT else f"{usd:,.2f}"


def sum_text(total: Sum) -> str:
    """Exact, a lower bound, or unknown."""
    if total.exact is None and total.at_least:
        return f"at least {usd_text(total.at_least)}"
    return usd_text(total.exact)


def cost_as_data(cost: EnvironmentCost) -> dict[str, Any]:
    """Returns the document of ``--format json``: an unknown amount is null, with ``why_unknown``."""
    return {
        "environment": cost.environment,
        "region": cost.region,
        "on": cost.on.isoformat(),
        "hours_per_month": HOURS_PER_MONTH,
        "totals": totals_as_data(cost.lines),
        "shares": [_share_as_data(share) for share in shares(cost)],
        "extended_support": plain(cost.extended_support),
        "lines": [_line_as_data(line) for line in cost.lines],
        "capacity_blocks": {
            "usd": cost.blocks_usd.exact,
            "at_least_usd": cost.blocks_usd.at_least,
            "blocks": [plain(block) for block in cost.blocks],
        },
        "rates": [_rate_as_data(rate) for rate in cost.rates],
        "by_use": list(cost.by_use),
    }


def _share_as_data(share: Share) -> dict[str, Any]:
    once = {"usd": share.blocks_usd.exact, "at_least_usd": share.blocks_usd.at_least}
    totals = totals_as_data(share.lines)
    return {"kind": share.kind.value, "name": share.name, "totals": totals, "capacity_blocks": once}


def totals_as_data(lines: Sequence[CostLine]) -> dict[str, Any]:
    """Returns the totals by scenario."""
    return {each.value: _sums_as_data(hourly(lines, each), monthly(lines, each)) for each in SCENARIOS}


def _sums_as_data(an_hour: Sum, a_month: Sum) -> dict[str, float | None]:
    return {
        "hourly_usd": an_hour.exact,
        "hourly_at_least_usd": an_hour.at_least,
        "monthly_usd": a_month.exact,
        "monthly_at_least_usd": a_month.at_least,
    }


def _line_as_data(line: CostLine) -> dict[str, Any]:
    fields: dict[str, Any] = plain(line)
    del fields["stepped_usd"], fields["price_list"]
    return {
        **fields,
        "hourly_usd": {each.value: line.hourly(each) for each in SCENARIOS},
        "monthly_usd": {each.value: line.monthly(each) for each in SCENARIOS},
    }


def _rate_as_data(rate: Rate) -> dict[str, Any]:
    fields: dict[str, Any] = plain(rate)
    return fields
