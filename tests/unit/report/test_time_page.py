"""The expected time of a deploy as text."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.report.time_page import range_text, time_lines, time_table
from neuron_cluster.timing.expected_time import ExpectedTime, PathStep

STEP = PathStep("train-cluster", "Cluster", "AWS::EKS::Cluster", 150, SecondsRange(low=513, high=840), True)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (17, 24, "17 to 24 s"),
        (23, 23, "23 s"),
        (0, 1, "up to 1 s"),
        (60, 120, "1 to 2 min"),
        (53, 227, "up to 4 min"),
        (513, 840, "8 to 14 min"),
        (300, 300, "5 min"),
        (0, 0, "0 s"),
    ],
)
def test_a_range_is_told_in_the_unit_of_its_longest_time(low: int, high: int, text: str) -> None:
    assert range_text(SecondsRange(low=low, high=high)) == text


def test_the_critical_path_names_the_stack_the_type_and_what_is_doubtful() -> None:
    table = time_table(ExpectedTime(SecondsRange(low=1, high=2), (STEP,), {}), "Critical path")
    assert table.rows == (("2 min", "train-cluster", "AWS::EKS::Cluster", "8 to 14 min ?"),)


def test_types_without_a_figure_are_named_with_their_number() -> None:
    lines = time_lines(ExpectedTime(SecondsRange(low=1, high=2), (), {"AWS::EC2::Route": 3, "Custom::Mine": 1}))
    assert lines[-1] == "Counted as no time, as no source has a figure: AWS::EC2::Route (3), Custom::Mine."
    assert len(time_lines(ExpectedTime(SecondsRange(low=1, high=2), (), {}))) == 1
