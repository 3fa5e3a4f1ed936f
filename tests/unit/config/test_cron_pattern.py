"""Schedules of cron within the ranges of their fields."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.config.backup import BACKUP_SCHEDULE_PATTERN
from neuron_cluster.config.checkpoints import SCHEDULE_PATTERN


@pytest.mark.parametrize(
    "schedule", ["@weekly", "0 6 * * 1", "*/15 0-23/2 1,15 JAN-MAR MON-FRI", "59 23 31 12 6", "05 06 01 01 SUN"]
)
def test_schedules_that_kubernetes_runs(schedule: str) -> None:
    assert re.search(SCHEDULE_PATTERN, schedule)


@pytest.mark.parametrize(
    "schedule", ["99 99 * * *", "60 0 * * *", "0 24 * * *", "0 0 32 * *", "0 0 0 * *", "0 0 * 13 *", "0 0 * * 7"]
)
def test_schedules_out_of_a_range_of_kubernetes(schedule: str) -> None:
    assert not re.search(SCHEDULE_PATTERN, schedule)


@pytest.mark.parametrize(
    "fields", ["0 5 ? * * *", "0 5 1 * ? *", "0/15 5 L * ? 2027", "0 5 LW * ? *", "0 5 ? * 6#3 *", "0 5 ? * FRIL *"]
)
def test_schedules_that_aws_backup_runs(fields: str) -> None:
    assert re.search(BACKUP_SCHEDULE_PATTERN, f"cron({fields})")


@pytest.mark.parametrize(
    "fields", ["99 99 ? * * *", "0 5 ? * 8 *", "0 5 32 * ? *", "0 5 1 * * *", "0 5 ? 13 * *", "0 5 ? * * 1969"]
)
def test_schedules_out_of_a_range_of_aws_backup(fields: str) -> None:
    assert not re.search(BACKUP_SCHEDULE_PATTERN, f"cron({fields})")
