"""The last run of a schedule of AWS Backup: ``cron(0 5 ? * * *)``, in UTC."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

MONTHS = {
    "JAN": 1,
    "FEB": 2,
    "MAR": 3,
    "APR": 4,
    "MAY": 5,
    "JUN": 6,
    "JUL": 7,
    "AUG": 8,
    "SEP": 9,
    "OCT": 10,
    "NOV": 11,
    "DEC": 12,
}
WEEKDAYS = {"SUN": 1, "MON": 2, "TUE": 3, "WED": 4, "THU": 5, "FRI": 6, "SAT": 7}
NONE_OF_THESE = "?"
DAYS_BACK = 366
"""A schedule that runs less often has no last run here."""
SATURDAY = 5
"""The number in ``date.weekday``, where Monday is 0."""


def last_run(schedule: str, before: datetime) -> datetime | None:
    """The last time before ``before`` at which the schedule starts a job; None in the days that are looked at."""
    minutes, hours, *days = schedule.removeprefix("cron(").removesuffix(")").split()
    times = [(hour, minute) for hour in _values(hours, 0, 23) for minute in _values(minutes, 0, 59)]
    for back in range(DAYS_BACK + 1):
        day = before.date() - timedelta(days=back)
        if not _runs_on(day, *days):
            continue
        for hour, minute in sorted(times, reverse=True):
            found = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
            if found < before:
                return found
    return None


def _runs_on(day: date, days: str, months: str, weekdays: str, years: str) -> bool:
    if day.month not in _values(months, 1, 12, MONTHS) or day.year not in _values(years, 1970, 2199):
        return False
    return _is_weekday(day, weekdays) if days == NONE_OF_THESE else _is_day(day, days)


def _is_day(day: date, days: str) -> bool:
    last = calendar.monthrange(day.year, day.month)[1]
    if days == "L":
        return day.day == last
    if days.endswith("W"):
        wanted = last if days == "LW" else min(int(days.removesuffix("W")), last)
        return day == _nearest_working_day(day.replace(day=wanted), last)
    return day.day in _values(days, 1, 31)


def _nearest_working_day(day: date, last: int) -> date:
    """The day itself, or the working day next to it in the same month."""
    if day.weekday() < SATURDAY:
        return day
    step = -1 if day.weekday() == SATURDAY else 1
    moved = day.day + step
    if not 1 <= moved <= last:
        moved = day.day - 2 * step
    return day.replace(day=moved)


def _is_weekday(day: date, weekdays: str) -> bool:
    number = day.isoweekday() % 7 + 1
    if weekdays == "L":
        return number == WEEKDAYS["SAT"]
    if weekdays.endswith("L"):
        last = calendar.monthrange(day.year, day.month)[1]
        return number == _number(weekdays.removesuffix("L"), WEEKDAYS) and day.day > last - 7
    wanted, _, place = weekdays.partition("#")
    if place:
        return number == _number(wanted, WEEKDAYS) and (day.day + 6) // 7 == int(place)
    return number in _values(weekdays, 1, 7, WEEKDAYS)


def _values(field: str, least: int, most: int, names: dict[str, int] | None = None) -> set[int]:
    return {value for part in field.split(",") for value in _part(part, least, most, names or {})}


def _part(part: str, least: int, most: int, names: dict[str, int]) -> Iterator[int]:
    """Yields the values of ``*``, ``5``, ``1-5``, ``*/15``, ``1-5/2``; of ``5/15`` those from 5 on."""
    span, _, step = part.partition("/")
    first, _, last = span.partition("-")
    start = least if span == "*" else _number(first, names)
    end = _number(last, names) if last else most if span == "*" or step else start
    yield from range(start, end + 1, int(step or 1))


def _number(text: str, names: dict[str, int]) -> int:
    return names[text] if text in names else int(text)
