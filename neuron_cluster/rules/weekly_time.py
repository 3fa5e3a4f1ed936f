"""Minutes of a week in UTC, from Monday 00:00: of windows, ends of capacity blocks and schedules of cron."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

HOUR = 60
DAY = 24 * HOUR
WEEK = 7 * DAY
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CRON_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
NICKNAMES = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}
ANY = "*"


def minute_of_window(text: str) -> int:
    """Returns the minute of the week of ``d:HH:MM``, in which Monday is 1."""
    day, hour, minute = map(int, text.split(":"))
    return (day - 1) * DAY + hour * HOUR + minute


def minute_of_moment(moment: datetime) -> int:
    """Returns the minute of the week of a moment in UTC."""
    return moment.weekday() * DAY + moment.hour * HOUR + moment.minute


def window_text(minute: int) -> str:
    """``7:03:30``, as FSx writes it."""
    day, rest = divmod(minute % WEEK, DAY)
    return f"{day + 1}:{rest // HOUR:02}:{rest % HOUR:02}"


def in_words(minute: int) -> str:
    """``Sunday 03:30``."""
    day, rest = divmod(minute % WEEK, DAY)
    return f"{DAYS[day]} {rest // HOUR:02}:{rest % HOUR:02}"


def minutes_from(start: int, length: int) -> frozenset[int]:
    """Returns the minutes of a span, which may go beyond the end of the week."""
    return frozenset((start + offset) % WEEK for offset in range(length))


def minutes_of_schedule(schedule: str) -> frozenset[int]:
    """When a schedule of cron starts; of one with days of the month on each day of the week. Empty if not readable."""
    fields = NICKNAMES.get(schedule, schedule).split()
    try:
        minute, hour, day_of_month, _, day_of_week = fields
        days = set(range(7)) if day_of_month != ANY else {(day - 1) % 7 for day in _values(day_of_week, 0, 6)}
        hours, minutes = set(_values(hour, 0, 23)), set(_values(minute, 0, 59))
    except ValueError:
        return frozenset()
    return frozenset(day * DAY + hour * HOUR + minute for day in days for hour in hours for minute in minutes)


def _values(field: str, first: int, last: int) -> Iterator[int]:
    """Yields the values of lists, ranges, steps and names of days."""
    for part in field.split(","):
        span, _, step = part.partition("/")
        low, _, high = span.partition("-")
        start = first if low == ANY else _number(low)
        end = _number(high) if high else last if low == ANY or step else start
        yield from range(start, min(end, last) + 1, int(step or 1))


def _number(text: str) -> int:
    return CRON_DAYS.index(text) if text in CRON_DAYS else int(text)
