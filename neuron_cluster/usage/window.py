"""Whole hours of UTC in the past."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec import Struct

HOUR = 3600
"""Seconds."""
LONGEST_DAYS = 366
LONGEST = LONGEST_DAYS * 24 * HOUR
"""Seconds."""


class Window(Struct, frozen=True):
    """Seconds since 1970, each a whole hour; a value at a time is of the hour that ends then."""

    start: int
    end: int

    @property
    def hours(self) -> tuple[int, ...]:
        """The end of each hour."""
        return tuple(range(self.start + HOUR, self.end + 1, HOUR))


def last_hours(now: datetime, since: timedelta) -> Window:
    """The whole hours that ended before ``now``."""
    end = int(now.timestamp()) // HOUR * HOUR
    return Window(end - int(since.total_seconds()) // HOUR * HOUR, end)


def hour_text(end: int) -> str:
    """The beginning of the hour that ends then."""
    return datetime.fromtimestamp(end - HOUR, UTC).strftime("%Y-%m-%d %H:%M")
