"""Prices of AWS next to those of the catalog, and the sums with each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from neuron_cluster.cost.environment_cost import EnvironmentCost, monthly
from neuron_cluster.cost.model import PriceDifference
from neuron_cluster.report.cost_page import COLUMNS, SCENARIOS, UNKNOWN, sum_text, totals_as_data
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table


def live_tables(
    at: datetime, cost: EnvironmentCost, live: EnvironmentCost, differences: Sequence[PriceDifference]
) -> list[Table]:
    """Sums of a month by the catalog and by AWS, and each price."""
    sums = (
        ("by the catalog", *(sum_text(monthly(cost.lines, each)) for each in SCENARIOS)),
        ("by AWS", *(sum_text(monthly(live.lines, each)) for each in SCENARIOS)),
    )
    note = "A price that AWS did not return is that of the catalog in both lines."
    title = f"Prices of AWS at {at:%Y-%m-%d %H:%M} UTC, in {cost.region}"
    return [
        Table(f"{title}: USD a month", ("prices", *COLUMNS), sums, note),
        Table(
            f"{title}: USD of a unit",
            ("price", "catalog", "AWS", "difference"),
            tuple(_difference_row(each) for each in differences),
        ),
    ]


def _difference_row(found: PriceDifference) -> tuple[str, ...]:
    title = found.what if found.name is None else f"{found.name}: {found.what}"
    live = found.why_unknown if found.live_usd is None else f"{found.live_usd:g}"
    return (title, UNKNOWN if found.catalog_usd is None else f"{found.catalog_usd:g}", live or UNKNOWN, _share(found))


def _share(found: PriceDifference) -> str:
    """``+3.5%``; ``none`` for the same price."""
    if found.share is None:
        return "-"
    text = f"{found.share:+.1%}"
    return "none" if text in ("+0.0%", "-0.0%") else text


def live_as_data(at: datetime, live: EnvironmentCost, differences: Sequence[PriceDifference]) -> dict[str, Any]:
    """Returns the part of ``--format json``: ``totals`` with the prices of AWS, and each price."""
    return {
        "at": at.isoformat(),
        "totals": totals_as_data(live.lines),
        "prices": [{**plain(each), "share": each.share} for each in differences],
    }
