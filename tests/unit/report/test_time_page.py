"""The expected time of a deploy as text."""

from __future__ import annotations

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.report.time_page import time_lines, time_table
from neuron_cluster.timing.expected_time import ExpectedTime, PathStep

STEP = PathStep("train-cluster", "Cluster", "AWS::EKS::Cluster", 150, SecondsRange(low=513, high=840), True)


def test_the_critical_path_names_the_stack_the_type_and_what_is_doubtful() -> None:
    table = time_table(ExpectedTime(SecondsRange(low=1, high=2), (STEP,), {}), "Critical path")
    assert table.rows == (("2 min", "train-cluster", "AWS::EKS::Cluster", "8 to 14 min ?"),)


def test_types_without_a_figure_are_named_with_their_number() -> None:
    lines = time_lines(ExpectedTime(SecondsRange(low=1, high=2), (), {"AWS::EC2::Route": 3, "Custom::Mine": 1}))
    assert lines[-1] == "Counted as no time, as no source has a figure: AWS::EC2::Route (3), Custom::Mine."
    assert len(time_lines(ExpectedTime(SecondsRange(low=1, high=2), (), {}))) == 1
