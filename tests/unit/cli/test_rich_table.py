"""Tables on the terminal."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.table import Table

TABLE = Table(
    "Subnets", ("zone", "addresses", "name"), (("usw2-az4", "8,187", "x" * 90), ("usw2-az1", "19", "")), "All."
)


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_a_long_name_stays_whole_and_lines_have_no_spaces_at_their_ends(width: int) -> None:
    text = table_text(TABLE, width, colour=False)
    assert max(map(len, text.splitlines())) <= max(width, 90)
    assert "x" * 90 in text
    assert not re.search(r" $", text, re.MULTILINE)


def test_numbers_stand_to_the_right() -> None:
    lines = table_text(TABLE, 200, colour=False).splitlines()
    assert next(line for line in lines if "usw2-az1" in line).index("19") + 2 == next(
        line for line in lines if "8,187" in line
    ).index("8,187") + len("8,187")


@pytest.mark.parametrize(
    ("cells", "is_right"),
    [
        (("8,187", "19"), True),
        (("$344.00", "at least $1,344.4032", "not known"), True),
        (("2/2/4", "0/1,000/no limit"), True),
        (("1,008 ?", "2.5 spot", "unknown"), True),
        (("82%", "7.5 %", "-"), True),
        (("", ""), False),
        (("us-west-2", "19"), False),
        (("10.20.0.0/19",), False),
        (("16 x trainium", "1"), False),
    ],
)
def test_only_columns_of_amounts_are_aligned_to_the_right(cells: tuple[str, ...], *, is_right: bool) -> None:
    assert Table("t", ("a", "b"), tuple(("x", cell) for cell in cells)).number_columns() == (False, is_right)


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


@pytest.mark.parametrize("width", [60, 80, 90, 99, 100, 101, 102, 120])
def test_an_id_is_not_broken_into_two_lines(width: int) -> None:
    text = table_text(WORKSTATIONS, width, colour=False)
    assert max(map(len, text.splitlines())) <= width
    assert set(WORKSTATIONS.rows[0]) <= set(text.split())


EFFECTS = Table(
    "Removed",
    ("which", "effect"),
    (("first-name, second-name, third-name, fourth-name", "nothing limits pods of the namespace any more"),),
)


def test_columns_share_the_width_where_that_prints_fewer_lines() -> None:
    lines = table_text(EFFECTS, 62, colour=False).splitlines()
    assert [line.strip() for line in lines[4:6]] == [
        "first-name, second-name,         nothing limits pods of the",
        "third-name, fourth-name          namespace any more",
    ]


def test_the_first_columns_are_whole_where_sharing_prints_as_many_lines() -> None:
    table = Table("Zones", ("zones", "note"), (("usw2-az4, usw2-az1", "in two of the zones of the Region"),))
    assert "usw2-az4, usw2-az1   in two" in table_text(table, 44, colour=False)


def test_rows_that_do_not_fit_are_below_each_other() -> None:
    text = table_text(Table("Subnets", ("zone", "", "name"), (("usw2-az4", "", "a b"),), "All."), 15, colour=False)
    assert text == "Subnets\n\n  usw2-az4\n    name  a b\n\nAll.\n"


def test_the_value_of_a_pair_is_next_to_its_label_where_the_table_does_not_fit() -> None:
    long, name = "x" * 30, "a label that is longer than others"
    rows = (("chip", "trainium2"), ("source", f"{long} and more"), (name, "a value"))
    text = table_text(Table("Type", ("what", "value"), rows), 34, colour=False)
    assert text.rstrip().splitlines() == [
        "Type", "", "  chip    trainium2", "  source", f"    {long}", "    and more",
        "  a label that is longer than", "  others", "          a value",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [20, 60, 100])
def test_a_table_in_a_pipe_is_wider_instead(width: int) -> None:
    names = ("neuron-helm-chart", "aws-efa-k8s-device-plugin", "aws.amazon.com/neuron=true:NO_SCHEDULE")
    table = Table("Software", ("a", "b", "c", "d"), (("trn1", *names), ("inf2", "short words that may wrap", "-", "-")))
    lines = table_text(table, width, colour=False, may_be_wider=True).splitlines()
    assert [line for line in lines if all(name in line for name in ("trn1", *names))]


@pytest.mark.parametrize("width", [30, 45, 60, 80])
@pytest.mark.parametrize("may_be_wider", [True, False])
def test_a_command_is_on_one_line_in_title_cell_and_note(width: int, *, may_be_wider: bool) -> None:
    one, two, three = (f"`neuron-cluster {verb} train-trn1 --local`" for verb in ("plan", "cost", "deploy"))
    table = Table(f"What {one} shows", ("name", "then"), (("a", f"first {two}, then wait"),), f"Run {three} next.")
    lines = table_text(table, width, colour=False, may_be_wider=may_be_wider).splitlines()
    assert [span for span in (one, two, three) if not any(span in line for line in lines)] == []
