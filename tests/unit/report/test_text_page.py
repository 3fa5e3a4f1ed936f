"""Pages of text fit the terminal and stay readable."""

from __future__ import annotations

import pytest

from neuron_cluster.report.text_page import LONGEST_LABEL, TextPage, text_of

PAGE = TextPage(
    heading="eks",
    lead="word " * 30,
    paragraphs=("para " * 40, ""),
    facts=(("short", "fact " * 30), ("x" * (LONGEST_LABEL + 1), "hanging " * 20)),
    lists=(("members", (("one", "line " * 30),)), ("nobody", ())),
    example="eks:\n  version: '1.35'\n",
)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    assert max(map(len, text_of(PAGE, width).splitlines())) <= width


def test_a_very_wide_terminal_gets_lines_that_can_be_read() -> None:
    assert text_of(PAGE, 500) == text_of(PAGE, 120)


def test_words_of_a_column_stand_below_each_other_and_a_long_label_above_its_words() -> None:
    lines = text_of(PAGE, 60).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("short  fact"))
    assert lines[first + 1].startswith("       fact")
    label = lines.index("x" * (LONGEST_LABEL + 1))
    assert lines[label + 1].startswith("       hanging")


def test_an_empty_list_has_no_title_and_an_example_is_printed_as_it_is() -> None:
    text = text_of(PAGE, 80)
    assert "nobody" not in text
    assert text.endswith("example\n  eks:\n    version: '1.35'\n")


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    assert "\033" not in text_of(TextPage("heading", "evil \033[2J"), 80)
