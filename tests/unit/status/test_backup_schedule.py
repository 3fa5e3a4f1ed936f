"""The last run of a schedule of AWS Backup."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neuron_cluster.config.backup import BACKUP_SCHEDULE_PATTERN
from neuron_cluster.status.backup_schedule import last_run

NOW = datetime(2026, 11, 29, 4, 30, tzinfo=UTC)
"""A Sunday, before the run of that day."""
FIELD = st.sampled_from(["*", "1", "2-4", "*/2", "3/4", "1,5"])


@pytest.mark.parametrize(
    ("schedule", "ran"),
    [
        ("cron(0 5 ? * * *)", "2026-11-28 05:00"),
        ("cron(0 4 ? * * *)", "2026-11-29 04:00"),
        ("cron(0,45 3-4 * * ? *)", "2026-11-29 04:00"),
        ("cron(*/20 * * * ? *)", "2026-11-29 04:20"),
        ("cron(10/20 * * * ? *)", "2026-11-29 04:10"),
        ("cron(0 5 1 * ? *)", "2026-11-01 05:00"),
        ("cron(0 5 ? * MON *)", "2026-11-23 05:00"),
        ("cron(0 4 ? * 1 *)", "2026-11-29 04:00"),
        ("cron(0 5 ? * MON-FRI *)", "2026-11-27 05:00"),
        ("cron(0 5 ? * L *)", "2026-11-28 05:00"),
        ("cron(0 5 ? * 6L *)", "2026-11-27 05:00"),
        ("cron(0 5 ? * FRI#2 *)", "2026-11-13 05:00"),
        ("cron(0 5 L * ? *)", "2026-10-31 05:00"),
        ("cron(0 5 LW * ? *)", "2026-10-30 05:00"),
        ("cron(0 5 1W * ? *)", "2026-11-02 05:00"),
        ("cron(0 5 15W * ? *)", "2026-11-16 05:00"),
        ("cron(0 5 1 JAN,JUL ? *)", "2026-07-01 05:00"),
        ("cron(0 5 1 1 ? 2020-2025)", None),
    ],
)
def test_the_last_run_is_the_newest_time_before_now(schedule: str, ran: str | None) -> None:
    assert re.match(BACKUP_SCHEDULE_PATTERN, schedule), "it is one that the file admits"
    found = last_run(schedule, NOW)
    assert (f"{found:%Y-%m-%d %H:%M}" if found else None) == ran


@given(
    st.lists(FIELD, min_size=5, max_size=5),
    st.booleans(),
    st.integers(1_577_836_800, 1_893_456_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
)
def test_every_schedule_has_a_last_run_that_is_before(fields: list[str], by_weekday: bool, before: datetime) -> None:
    minute, hour, day, month, weekday = fields
    days = f"? {month} {weekday}" if by_weekday else f"{day} {month} ?"
    found = last_run(f"cron({minute} {hour} {days} *)", before)
    assert found is not None
    assert found < before
