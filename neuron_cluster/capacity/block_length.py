"""How long a capacity block is: whole days, then whole weeks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError

HOURS_OF = {"h": 1, "d": 24, "w": 168}
HOURS_A_DAY, HOURS_A_WEEK = HOURS_OF["d"], HOURS_OF["w"]
DAYS_A_WEEK = 7

_WRITTEN = re.compile(r"([0-9]{1,4})([hdw])")


def block_hours(text: str, catalog: Catalog) -> int:
    """Hours of ``7d``, ``48h`` or ``2w``. Raises ``ToolkitError`` for a length that no block has."""
    written = _WRITTEN.fullmatch(text.strip().lower())
    if written is None:
        raise ToolkitError(f"{text!r} is no length: a number with d, w or h is expected", hint=_allowed(catalog))
    hours = int(written[1]) * HOURS_OF[written[2]]
    lengths = list(_lengths(catalog))
    if hours in lengths:
        return hours
    below = max((length for length in lengths if length < hours), default=None)
    above = min((length for length in lengths if length > hours), default=None)
    nearest = " or ".join(in_days(length) for length in (below, above) if length is not None)
    raise ToolkitError(f"no capacity block is {text.strip()} long; the nearest: {nearest}", hint=_allowed(catalog))


def hours_that_hold(window: timedelta, catalog: Catalog) -> int | None:
    """Hours of the shortest block that is as long as a window; None where no block is. One that was bought on the day
    it started ends at a fixed hour, and so is shorter than its length."""
    if window <= timedelta():
        return None
    return min((length for length in _lengths(catalog) if timedelta(hours=length) >= window), default=None)


def in_days(hours: int) -> str:
    """``168`` hours as ``7d``."""
    return f"{hours // HOURS_A_DAY}d"


def _lengths(catalog: Catalog) -> Iterator[int]:
    """All lengths in hours."""
    by_day, by_week = catalog.limit("capacity_block_single_days"), catalog.limit("capacity_block_days")
    for days in range(by_day.require_minimum(), by_week.require_maximum() + 1):
        if days <= by_day.require_maximum() or days % DAYS_A_WEEK == 0:
            yield days * HOURS_A_DAY


def _allowed(catalog: Catalog) -> str:
    by_day, by_week = catalog.limit("capacity_block_single_days"), catalog.limit("capacity_block_days")
    weeks = by_week.require_maximum() // DAYS_A_WEEK
    return (
        f"blocks come in whole days, {by_day.minimum}d to {by_day.maximum}d, then in whole weeks up to "
        f"{by_week.maximum} days ({weeks}w)"
    )
