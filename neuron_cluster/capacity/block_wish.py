"""What is asked for: so many units, for so long, in a span of days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct

from neuron_cluster.aws.capacity_blocks import OfferingQuestion
from neuron_cluster.capacity.block_length import in_days
from neuron_cluster.capacity.block_unit import BlockUnit
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError

LAST_SECOND = time(23, 59, 59, tzinfo=UTC)


class BlockSpan(Struct, frozen=True):
    """The days (UTC) within which a block must lie; None leaves it open."""

    first: date | None = None
    last: date | None = None

    def require_room(self, hours: int, today: date) -> None:
        """Raises ``ToolkitError`` when no block of this length can lie in the span."""
        for day, name in ((self.first, "--from"), (self.last, "--until")):
            if day is not None and day < today:
                raise ToolkitError(
                    f"{name} {day} is past: today is {today} (UTC)", hint=f"leave {name} out, or move it"
                )
        start = self.first or today
        # In hours, not by a date after the last day: Python's calendar ends with the year 9999.
        if self.last is not None and hours >= 24 * ((self.last - start).days + 1):
            raise ToolkitError(
                f"a block of {in_days(hours)} does not fit between {start} and {self.last}: it ends within the day",
                hint="move --until, or ask for a shorter --duration",
            )

    def is_beyond_offers(self, catalog: Catalog, today: date) -> bool:
        """Whether the first day is later than blocks are known to be offered."""
        most = catalog.limit("capacity_block_start_ahead").require_maximum()
        return self.first is not None and self.first > today + timedelta(days=most)


class CapacityBlockQuery(Struct, frozen=True):
    """One question for every Region that is asked."""

    unit: BlockUnit
    count: int
    """Of units."""
    hours: int
    span: BlockSpan = BlockSpan()

    @property
    def instances(self) -> int:
        return self.count * self.unit.instances

    @property
    def in_words(self) -> str:
        return f"{self.count} x {self.unit.name} for {in_days(self.hours)}"

    def question(self, today: date) -> OfferingQuestion:
        """The same in EC2's words. A first day that has begun is not sent: offerings lie in the future anyway."""
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
    """Raises ``ToolkitError`` for more instances than a block holds. No source bounds a block of UltraServers."""
    most = most_instances(catalog)
    if unit.is_ultraserver or count <= most:
        return
    full, rest = divmod(count, most)
    blocks = f"{full} of {most}" + (f" and 1 of {rest}" if rest else "")
    in_all = catalog.limit("capacity_block_instances_in_all").require_maximum()
    bound = f"; all blocks together may hold {in_all}, as far as is known" if count > in_all else ""
    raise ToolkitError(
        f"a capacity block holds {most} instances at most: {count} are several blocks, {blocks}{bound}",
        hint=f"search with --count {most}{f' and with --count {rest}' if rest else ''}: each block is bought by itself "
        "and gets a node group of its own, and the groups can share a zone",
    )


def most_instances(catalog: Catalog) -> int:
    """Instances that one block holds at most."""
    return catalog.limit("capacity_block_instances").require_maximum()
