"""Minutes of a week: windows of FSx, moments and schedules of cron on one scale."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from neuron_cluster.rules.weekly_time import (
    DAY,
    WEEK,
    in_words,
    minute_of_moment,
    minute_of_window,
    minutes_from,
    minutes_of_schedule,
    window_text,
)

SUNDAY = 6 * DAY


@pytest.mark.parametrize("text", ["1:00:00", "7:23:59", "3:05:07"])
def test_a_window_is_read_and_written(text: str) -> None:
    assert window_text(minute_of_window(text)) == text


def test_a_moment_is_on_the_scale_of_windows() -> None:
    assert minute_of_moment(datetime(2026, 11, 29, 3, 30, tzinfo=UTC)) == minute_of_window("7:03:30")
    assert in_words(minute_of_window("7:03:30")) == "Sunday 03:30"


def test_a_span_goes_beyond_the_week() -> None:
    assert minutes_from(WEEK - 1, 2) == {WEEK - 1, 0}
    assert minutes_from(-1, 1) == {WEEK - 1}


@pytest.mark.parametrize(
    ("schedule", "minutes"),
    [
        ("@weekly", {SUNDAY}),
        ("@daily", {day * DAY for day in range(7)}),
        ("30 6 * * 1", {390}),
        ("0 6 * * MON,WED", {360, 2 * DAY + 360}),
        ("0 */12 * * SUN", {SUNDAY, SUNDAY + 720}),
        ("10-12 0 * * 1", {10, 11, 12}),
        ("50/5 0 * * 1", {50, 55}),
        ("0 0 1 * *", {day * DAY for day in range(7)}),
        ("0 0 * *", set()),
        ("x 0 * * 1", set()),
    ],
)
def test_a_schedule_starts_at_these_minutes(schedule: str, minutes: set[int]) -> None:
    assert minutes_of_schedule(schedule) == minutes
