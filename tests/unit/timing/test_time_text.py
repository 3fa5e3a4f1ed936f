"""Times as people read them."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.expected_time import ExpectedTime, PathStep
from neuron_cluster.timing.time_text import longest_steps, range_text


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


def step(name: str, high: int) -> PathStep:
    return PathStep("train", name, f"AWS::{name}", 0, SecondsRange(low=0, high=high), is_doubtful=False)


def test_a_sentence_names_the_three_longest_steps_in_the_order_of_the_path() -> None:
    path = (step("Short", 1), step("B", 20), step("C", 30), step("A", 10))
    found = ExpectedTime(SecondsRange(low=0, high=61), path, {})
    assert longest_steps(found) == "AWS::B up to 20 s, AWS::C up to 30 s, AWS::A up to 10 s"
