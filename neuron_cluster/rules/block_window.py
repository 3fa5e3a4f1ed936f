"""Start and end of a capacity block or training plan, as written in the file."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Protocol, Self

from msgspec import Struct


class Period(Protocol):
    """Capacity that is bought for a fixed time."""

    @property
    def starts(self) -> str | None: ...

    @property
    def ends(self) -> str | None: ...


class Today(date):
    """The date of a moment, which rules about the hours of a block read too; a date of `--as-of` has no hours."""

    moment: datetime

    @classmethod
    def at(cls, moment: datetime) -> Self:
        day = cls(moment.year, moment.month, moment.day)
        day.moment = moment
        return day


class BlockWindow(Struct, frozen=True):
    """From ``starts`` to ``ends``, in UTC; None where the file does not set it."""

    starts: datetime | None
    ends: datetime | None

    @property
    def length(self) -> timedelta | None:
        """None when one end is open; negative when the block ends before it starts."""
        return self.ends - self.starts if self.starts is not None and self.ends is not None else None


def window_of(block: Period) -> BlockWindow:
    """The window of a block with valid times; config validation reports invalid ones."""
    return BlockWindow(_time(block.starts), _time(block.ends))


def has_ended(ends: datetime, as_of: date, last: timedelta) -> bool:
    """Whether the block is over, or in its ``last`` minutes, in which EC2 starts no instance; of a date, after it."""
    return as_of.moment >= ends - last if isinstance(as_of, Today) else as_of > ends.date()


def clock(moment: datetime) -> str:
    """``11:30 UTC``."""
    return f"{moment:%H:%M} UTC"


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text is not None else None
