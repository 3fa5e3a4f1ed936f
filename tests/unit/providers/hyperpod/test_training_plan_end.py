"""The hour decides when a training plan is over: HyperPod takes its nodes back one hour before the end."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from rule_fixture import rule_fixture

from neuron_cluster.pipeline import check_environment
from neuron_cluster.rules.block_window import Today

IDS = ("E2213", "W2214")


def at(day: int, hour: int, minute: int = 0) -> Today:
    return Today.at(datetime(2026, 12, day, hour, minute, tzinfo=UTC))


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (at(7, 11, 29), []),
        (at(7, 11, 30), ["W2214"]),
        (date(2026, 12, 7), []),
        (date(2026, 12, 8), ["W2214"]),
        (at(8, 10, 29), ["W2214"]),
        (at(8, 10, 30), ["E2213"]),
        (at(9, 0, 1), ["E2213"]),
        (date(2026, 12, 9), ["E2213"]),
    ],
)
def test_a_training_plan_is_over_one_hour_before_its_end(as_of: date, expected: list[str], tmp_path: Path) -> None:
    file = rule_fixture("W2214").bad[0].write(tmp_path)
    findings = check_environment(file, as_of=as_of).findings
    assert [finding.id for finding in findings if finding.id in IDS] == expected
