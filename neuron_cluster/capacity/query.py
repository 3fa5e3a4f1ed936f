"""A query for capacity blocks: number of units, duration, range of days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct

from neuron_cluster.aws.capacity_blocks import OfferingQuestion
from neuron_cluster.capacity.block_unit import BlockUnit
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError

HOURS_OF = {"h": 1, "d": 24, "w": 168}
HOURS_A_DAY, HOURS_A_WEEK = HOURS_OF["d"], HOURS_OF["w"]
DAYS_A_WEEK = 7

_WRITTEN = re.compile(r"([0-9]{1,4})([hdw])")
LAST_SECOND = time(23, 59, 59, tzinfo=UTC)


class BlockSpan(Struct, frozen=True):
    """The days (UTC) within which a block must start and end; None: no limit."""

    first: date | None = None
    last: date | None = None

    def require_length(self, hours: int, today: date) -> None:
        """Raises ``ToolkitError`` when no block of this duration fits in the range of days."""
        for day, name in ((self.first, "--from"), (self.last, "--until")):
            if day is not None and day < today:
                raise ToolkitError(
                    f"{name} {day} is in the past: today is {today} (UTC)", hint=f"remove {name}, or write a later day"
                )
        start = self.first or today
        # In hours, not by a date after the last day: Python's calendar ends with the year 9999.
        if self.last is not None and hours >= 24 * ((self.last - start).days + 1):
            raise ToolkitError(
                f"a block of {in_days(hours)} does not fit between {start} and {self.last}: it ends within the day",
                hint="write a later --until, or a shorter --duration",
            )

    def is_beyond_offers(self, catalog: Catalog, today: date) -> bool:
        """Whether the first day is later than EC2 is known to offer blocks."""
        maximum = catalog.limits["capacity_block_start_ahead"].require_maximum()
        return self.first is not None and self.first > today + timedelta(days=maximum)


class CapacityBlockQuery(Struct, frozen=True):
    """One query for every Region."""

    unit: BlockUnit
    count: int
    """The number of units."""
    hours: int
    span: BlockSpan = BlockSpan()

    @property
    def instances(self) -> int:
        return self.count * self.unit.instances

    @property
    def summary(self) -> str:
        return f"{self.count} x {self.unit.name} for {in_days(self.hours)}"

    def request(self, today: date) -> OfferingQuestion:
        """The request of the EC2 API. A first day that has begun is not sent: offerings always are in the future."""
        first, last = self.span.first, self.span.last
        return OfferingQuestion(
            instance_type=None if self.unit.is_ultraserver else self.unit.name,
            ultraserver_type=self.unit.name if self.unit.is_ultraserver else None,
            count=self.count,
            hours=self.hours,
            earliest_start=datetime.combine(first, time(), UTC) if first is not None and first > today else None,
            latest_end=datetime.combine(last, LAST_SECOND) if last is not None else None,
        )


def require_one_block(unit: BlockUnit, count: int, catalog: Catalog) -> None:
    """Raises ``ToolkitError`` where the instances exceed one block. No source limits blocks of UltraServers."""
    maximum = max_instances(catalog)
    if unit.is_ultraserver or count <= maximum:
        return
    full, rest = divmod(count, maximum)
    blocks = f"{full} of {maximum}" + (f" and 1 of {rest}" if rest else "")
    in_all = catalog.limits["capacity_block_instances_in_all"].require_maximum()
    bound = f"; all blocks together may hold {in_all}, as far as is known" if count > in_all else ""
    raise ToolkitError(
        f"a capacity block holds {maximum} instances at most: {count} are several blocks, {blocks}{bound}",
        hint=f"search with --count {maximum}{f' and with --count {rest}' if rest else ''}: each block is bought by "
        "itself and gets a node group of its own, and the groups can share a zone",
    )


def max_instances(catalog: Catalog) -> int:
    """The maximum number of instances in a block."""
    return catalog.limits["capacity_block_instances"].require_maximum()


def block_hours(text: str, catalog: Catalog) -> int:
    """Hours of ``7d``, ``48h`` or ``2w``. Raises ``ToolkitError`` for a duration that no block has."""
    written = _WRITTEN.fullmatch(text.strip().lower())
    if written is None:
        raise ToolkitError(f"{text!r} is not a valid duration: write a number with d, w or h", hint=_allowed(catalog))
    hours = int(written[1]) * HOURS_OF[written[2]]
    lengths = list(_lengths(catalog))
    if hours in lengths:
        return hours
    below = max((length for length in lengths if length < hours), default=None)
    above = min((length for length in lengths if length > hours), default=None)
    nearest = " or ".join(in_days(length) for length in (below, above) if length is not None)
    raise ToolkitError(
        f"no capacity block has the duration {text.strip()}; the nearest: {nearest}", hint=_allowed(catalog)
    )


def hours_that_hold(window: timedelta, catalog: Catalog) -> int | None:
    """Hours of the shortest block that is as long as a window; None where none is. A block that was bought on the day
    of its start ends at a fixed hour, and so is shorter than its duration."""
    if window <= timedelta():
        return None
    return min((length for length in _lengths(catalog) if timedelta(hours=length) >= window), default=None)


def in_days(hours: int) -> str:
    """``168`` hours as ``7d``."""
    return f"{hours // HOURS_A_DAY}d"


def _lengths(catalog: Catalog) -> Iterator[int]:
    """All durations in hours."""
    by_day, by_week = catalog.limits["capacity_block_single_days"], catalog.limits["capacity_block_days"]
    for days in range(by_day.require_minimum(), by_week.require_maximum() + 1):
        if days <= by_day.require_maximum() or days % DAYS_A_WEEK == 0:
            yield days * HOURS_A_DAY


def _allowed(catalog: Catalog) -> str:
    by_day, by_week = catalog.limits["capacity_block_single_days"], catalog.limits["capacity_block_days"]
    weeks = by_week.require_maximum() // DAYS_A_WEEK
    return (
        f"blocks come in whole days, {by_day.minimum}d to {by_day.maximum}d, then in whole weeks up to "
        f"{by_week.maximum} days ({weeks}w)"
    )
