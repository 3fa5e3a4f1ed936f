"""A file with as many mistakes as lines is judged in time that grows with its size, and not everything is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from neuron_cluster.config.file_findings import MAX_ERRORS
from neuron_cluster.pipeline import Checked, check_environment

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
TRAINING = (ENVIRONMENTS / "train-trn2.yaml").read_text()
ADMIN = "      - arn:aws:iam::111122223333:role/platform-admin\n"


def check(folder: Path, text: str) -> Checked:
    path = folder / "train-trn2.yaml"
    path.write_text(text)
    return check_environment(path)


def ids(checked: Checked, finding_id: str) -> int:
    return sum(finding.id == finding_id for finding in checked.findings)


@contextmanager
def calls() -> Iterator[list[int]]:
    """Counts the Python calls in the block: seconds would depend on the machine."""
    counted = [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        counted[0] += event == "call"

    sys.setprofile(count)
    try:
        yield counted
    finally:
        sys.setprofile(None)


def calls_for(folder: Path, admins: int) -> int:
    text = TRAINING.replace(ADMIN, "      - a\n" * admins)
    check(folder, text)
    with calls() as counted:
        check(folder, text)
    return counted[0]


def test_twice_as_many_wrong_list_items_cost_twice_the_work(tmp_path: Path) -> None:
    none, some, twice = (calls_for(tmp_path, number) for number in (1, 61, 121))
    assert twice - none < 2.5 * (some - none)


@pytest.mark.parametrize("line", ["    - x\n", "    -\n", "    - nam: a\n", "    - &a x\n"])
def test_more_mistakes_than_are_shown_end_the_reading(tmp_path: Path, line: str) -> None:
    checked = check(tmp_path, TRAINING + line * (MAX_ERRORS + 50))
    assert ids(checked, "E0008") == 1
    assert len(checked.findings) == MAX_ERRORS + 1
    assert checked.config is None


def test_the_most_that_are_shown_are_shown(tmp_path: Path) -> None:
    checked = check(tmp_path, TRAINING.replace(ADMIN, "      - a\n" * MAX_ERRORS))
    assert ids(checked, "E0013") == MAX_ERRORS
    assert ids(checked, "E0008") == 0


def test_one_rule_shows_as_many_findings_and_says_that_there_are_more(tmp_path: Path) -> None:
    group = (
        "    - {{name: g{0}, instance_type: trn1.2xlarg, availability_zone: use2-az3, "
        "count: {{min: 0, desired: 0, max: 1}}}}\n"
    )
    checked = check(tmp_path, TRAINING + "".join(group.format(number) for number in range(MAX_ERRORS + 1)))
    messages = [finding.message for finding in checked.findings if finding.id == "E3001"]
    assert len(messages) == MAX_ERRORS
    assert messages[-1].endswith("(more findings of E3001 are not shown)")


def test_a_file_of_more_values_than_an_environment_has_is_refused(tmp_path: Path) -> None:
    checked = check(tmp_path, "a: [" + "1," * 100_001 + "]\n")
    assert [finding.id for finding in checked.findings] == ["E0002"]
