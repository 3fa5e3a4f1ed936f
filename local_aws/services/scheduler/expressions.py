"""Schedule expressions: ``at``, ``rate`` and ``cron``, and when they are due.

Source: https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo

from msgspec import Struct

EXPRESSION = re.compile(r"(at|rate|cron)\((.+)\)")
RATE = re.compile(r"(\d+) (minute|hour|day)(s?)")
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
WEEK = 7


class Cron(Struct, frozen=True):
    """The six fields; of the two for days one is ``?``."""

    minutes: Sequence[int]
    hours: Sequence[int]
    day_of_month: str
    months: frozenset[int]
    day_of_week: str
    years: frozenset[int]

    def is_on(self, day: date) -> bool:
        if day.month not in self.months or day.year not in self.years:
            return False
        if self.day_of_month == "?":
            return _is_weekday(self.day_of_week, day)
        return _is_day_of_month(self.day_of_month, day)


def due_times(expression: str, zone: tzinfo, created: datetime, after: datetime, until: datetime) -> Iterator[datetime]:
    """The times after the one and until the other. Raises ValueError for an expression that is not valid."""
    found = EXPRESSION.fullmatch(expression)
    if found is None:
        raise ValueError(expression)
    kind, text = found.groups()
    if kind == "at":
        moments: Iterator[datetime] = iter([datetime.strptime(text, "%Y-%m-%dT%H:%M:%S").replace(tzinfo=zone)])
    elif kind == "rate":
        moments = _rate_times(_period(text), created, after)
    else:
        moments = _cron_times(_cron(text), zone, after, until)
    return _between(moments, after, until)


def _between(moments: Iterator[datetime], after: datetime, until: datetime) -> Iterator[datetime]:
    for moment in moments:
        if moment > until:
            return
        if moment > after:
            yield moment.astimezone(UTC)


def _period(text: str) -> timedelta:
    found = RATE.fullmatch(text)
    if found is None or int(found[1]) < 1 or (found[1] == "1") == bool(found[3]):
        raise ValueError(text)
    return int(found[1]) * timedelta(**{f"{found[2]}s": 1})


def _rate_times(period: timedelta, created: datetime, after: datetime) -> Iterator[datetime]:
    moment = created + period * max(1, (after - created) // period)
    while True:
        yield moment
        moment += period


def _cron(text: str) -> Cron:
    fields = text.split()
    if len(fields) != 6 or (fields[2] == "?") == (fields[4] == "?"):  # noqa: PLR2004 - the fields of Cron
        raise ValueError(text)
    minutes, hours, day_of_month, months, day_of_week, years = fields
    cron = Cron(
        sorted(_values(minutes, 0, 59)),
        sorted(_values(hours, 0, 23)),
        day_of_month,
        _values(months, 1, 12, MONTHS),
        day_of_week,
        _values(years, 1970, 2199),
    )
    _is_day_of_month(day_of_month, date.min)
    _is_weekday(day_of_week, date.min)
    return cron


def _values(text: str, low: int, high: int, names: Sequence[str] = ()) -> frozenset[int]:
    """Returns the values of lists, ranges and increments. Raises ValueError."""
    numbers: Mapping[str, int] = {name: number for number, name in enumerate(names, 1)}
    found: set[int] = set()
    for part in text.upper().split(","):
        span, _, step = part.partition("/")
        first, _, last = span.partition("-")
        start = low if span == "*" else numbers.get(first) or int(first)
        end = numbers.get(last) or int(last) if last else high if step or span == "*" else start
        if not low <= start <= end <= high or (step and int(step) < 1):
            raise ValueError(text)
        found.update(range(start, end + 1, int(step or 1)))
    return frozenset(found)


def _is_day_of_month(text: str, day: date) -> bool:
    """``L`` is the last day of the month, and ``15W`` the weekday that is nearest to the 15th."""
    last = calendar.monthrange(day.year, day.month)[1]
    if text in {"?", "L"}:
        return day.day == last
    if text.endswith("W"):
        (number,) = _values(text[:-1], 1, 31)
        return day.day == _nearest_weekday(day, min(number, last), last)
    return day.day in _values(text, 1, 31)


def _nearest_weekday(month: date, number: int, last: int) -> int:
    weekday = month.replace(day=number).isoweekday()
    if weekday == WEEK - 1:
        return number - 1 if number > 1 else number + 2
    if weekday == WEEK:
        return number + 1 if number < last else number - 2
    return number


def _is_weekday(text: str, day: date) -> bool:
    """``6L`` is the last Friday of a month, and ``3#2`` its second Tuesday."""
    number = day.isoweekday() % WEEK + 1
    if "#" in text:
        wanted, _, week = text.partition("#")
        return number in _values(wanted, 1, WEEK, DAYS) and (day.day - 1) // WEEK + 1 in _values(week, 1, 5)
    if text.endswith("L") and text != "L":
        is_last = day.day + WEEK > calendar.monthrange(day.year, day.month)[1]
        return number in _values(text[:-1], 1, WEEK, DAYS) and is_last
    return text == "?" or number in ({WEEK} if text == "L" else _values(text, 1, WEEK, DAYS))


def _cron_times(cron: Cron, zone: tzinfo, after: datetime, until: datetime) -> Iterator[datetime]:
    """In local time; a time that a change of the clocks leaves out is not due. Source: inferred."""
    day, end = after.astimezone(zone).date(), until.astimezone(zone).date()
    while day <= end:
        for hour in cron.hours if cron.is_on(day) else ():
            for minute in cron.minutes:
                moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone)
                if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == moment.replace(tzinfo=None):
                    yield moment
        day += timedelta(days=1)
