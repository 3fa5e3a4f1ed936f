"""When schedule expressions are due."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from local_aws.services.scheduler.expressions import due_times

CREATED = datetime(2027, 1, 1, 10, 30, tzinfo=UTC)


def due(expression: str, until: str, zone: str = "UTC", after: datetime = CREATED) -> list[str]:
    """The first four times."""
    end = datetime.fromisoformat(until).replace(tzinfo=UTC)
    found = due_times(expression, ZoneInfo(zone), CREATED, after, end)
    return [f"{moment:%Y-%m-%dT%H:%M}" for moment in itertools.islice(found, 4)]


@pytest.mark.parametrize(
    ("expression", "until", "times"),
    [
        ("at(2027-01-01T12:00:00)", "2027-01-02", ["2027-01-01T12:00"]),
        ("at(2027-01-01T10:30:00)", "2027-01-02", []),
        ("at(2027-01-03T12:00:00)", "2027-01-02", []),
        ("rate(12 hours)", "2027-01-02T22:30", ["2027-01-01T22:30", "2027-01-02T10:30", "2027-01-02T22:30"]),
        ("rate(1 day)", "2027-01-03", ["2027-01-02T10:30"]),
        ("cron(0 9,18 * * ? *)", "2027-01-02T17:59", ["2027-01-01T18:00", "2027-01-02T09:00"]),
        ("cron(0/20 11 1 1 ? 2027)", "2028-12-31", ["2027-01-01T11:00", "2027-01-01T11:20", "2027-01-01T11:40"]),
        ("cron(0 8 ? * MON-TUE *)", "2027-01-11", ["2027-01-04T08:00", "2027-01-05T08:00"]),
        ("cron(0 8 ? JAN,FEB 6#1 *)", "2027-03-31", ["2027-02-05T08:00"]),
        ("cron(0 8 ? * 6L *)", "2027-02-27", ["2027-01-29T08:00", "2027-02-26T08:00"]),
        ("cron(0 8 ? * L *)", "2027-01-10", ["2027-01-02T08:00", "2027-01-09T08:00"]),
        ("cron(0 0 L * ? *)", "2027-03-01", ["2027-01-31T00:00", "2027-02-28T00:00"]),
        ("cron(0 0 16W * ? *)", "2027-02-28", ["2027-01-15T00:00", "2027-02-16T00:00"]),
        ("cron(0 0 1W 5 ? *)", "2027-12-31", ["2027-05-03T00:00"]),
        ("cron(0 0 31W 1 ? *)", "2027-12-31", ["2027-01-29T00:00"]),
        ("cron(0 0 29 2 ? *)", "2032-12-31", ["2028-02-29T00:00", "2032-02-29T00:00"]),
    ],
)
def test_times(expression, until, times):
    assert due(expression, until) == times


def test_times_are_those_of_the_time_zone():
    """Clocks go forward in Zurich on 2027-03-28 at 2:00: the time in between is left out."""
    after = datetime(2027, 3, 26, 12, tzinfo=UTC)
    daily = due("cron(30 2 * * ? *)", "2027-03-29T12:00", "Europe/Zurich", after)
    assert daily == ["2027-03-27T01:30", "2027-03-29T00:30"]
    assert due("at(2027-01-01T12:00:00)", "2027-01-02", "America/New_York") == ["2027-01-01T17:00"]


@pytest.mark.parametrize(
    "expression",
    [
        "in(1 day)", "at(2027-01-01)", "at(2027-13-01T00:00:00)", "rate(1 minutes)", "rate(5 minute)", "rate(0 days)",
        "rate(5 weeks)", "cron(0 9 * * *)", "cron(0 9 * * * *)", "cron(0 9 ? * ? *)", "cron(60 9 * * ? *)",
        "cron(0 9 32 * ? *)", "cron(0 9 ? * 8 *)", "cron(0 9 ? * 2#6 *)", "cron(0 9 ? FOO 2 *)", "cron(0/0 9 * * ? *)",
        "cron(0 0 2W,? * ? *)",
        "cron(30-10 9 * * ? *)", "cron(0 9 * * ? 1969)",
    ],
)  # fmt: skip
def test_expressions_that_are_not_valid(expression):
    with pytest.raises(ValueError, match=r".+"):
        due(expression, "2027-01-02")
