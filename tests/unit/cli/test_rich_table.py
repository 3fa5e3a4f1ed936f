"""Tables on the terminal."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.table import Table

TABLE = Table(
    "Subnets", ("zone", "addresses", "name"), (("usw2-az4", "8,187", "x" * 90), ("usw2-az1", "19", "")), "All."
)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_table_keeps_to_the_width_loses_nothing_and_has_no_spaces_at_line_ends(width: int) -> None:
    text = table_text(TABLE, width, colour=False)
    assert max(map(len, text.splitlines())) <= width
    assert text.count("x") == 90
    assert not re.search(r" $", text, re.MULTILINE)


def test_numbers_stand_to_the_right() -> None:
    lines = table_text(TABLE, 200, colour=False).splitlines()
    assert next(line for line in lines if "usw2-az1" in line).index("19") + 2 == next(
        line for line in lines if "8,187" in line
    ).index("8,187") + len("8,187")


def test_marks_of_the_drawing_library_are_only_text() -> None:
    assert "[red]:smile:" in table_text(Table("t", ("a",), (("[red]:smile:",),)), 80, colour=False)


def test_colour_is_left_out_when_it_is_not_wanted() -> None:
    assert "\033" not in table_text(TABLE, 80, colour=False)
    assert "\033" in table_text(TABLE, 80, colour=True)


WORKSTATIONS = Table(
    "Workstations",
    ("name", "instance", "type", "image", "zone", "state"),
    (("workstation/alice", "i-0123456789abcdef0", "inf2.xlarge", "ami-0123456789abcdef0", "usw2-az1", "running"),),
)


@pytest.mark.parametrize("width", [100, 102, 120])
def test_an_id_is_not_broken_into_two_lines(width: int) -> None:
    text = table_text(WORKSTATIONS, width, colour=False)
    assert "i-0123456789abcdef0" in text
    assert "ami-0123456789abcdef0" in text


@pytest.mark.parametrize("width", [80, 90, 99, 100, 101])
def test_nothing_is_cut_off_where_ids_are_too_many(width: int) -> None:
    lines = table_text(WORKSTATIONS, width, colour=False).splitlines()
    assert max(map(len, lines)) <= width
    shown = sorted("".join("".join(lines[4:]).split()))
    assert shown == sorted("".join(WORKSTATIONS.rows[0]))


@pytest.mark.parametrize("width", [20, 60, 100])
def test_whole_words_make_a_table_wider_instead_of_being_broken(width: int) -> None:
    names = ("neuron-helm-chart", "aws-efa-k8s-device-plugin", "aws.amazon.com/neuron=true:NO_SCHEDULE")
    table = Table("Software", ("a", "b", "c", "d"), (("trn1", *names), ("inf2", "short words that may wrap", "-", "-")))
    text = table_text(table, width, colour=False, whole_words=True)
    assert all(name in text for name in names)
