"""Values are replaced in the text of a data file; comments, order and everything else stay as they are."""

from pathlib import Path

import pytest
import yaml
from catalog_refresh.data_file import DataFile

TEXT = """\
# What this file is.

- name: one
  source: >-
    a long source
    of two lines
  checked_on: 2026-11-21
  size: 4  # why 4
  zones:
    a-1: [a1, a2]
    # b is closed
    c-1: [c1]  # half of it
  prices: {}

# The second one.
- name: two
  checked_on: 2026-11-21
  words: [x, y]
  prices: {a-1: 1.5}
"""


@pytest.fixture
def file(tmp_path: Path) -> DataFile:
    path = tmp_path / "things.yaml"
    path.write_text(TEXT)
    return DataFile(path)


def changed_lines(file: DataFile) -> tuple[list[str], list[str]]:
    """Lines that went and lines that came, in order."""
    before, after = TEXT.splitlines(), file.text.splitlines()
    return [line for line in before if line not in after], [line for line in after if line not in before]


def test_without_an_edit_the_text_is_the_same(file: DataFile) -> None:
    assert file.text == TEXT


def test_a_number_is_replaced_and_its_comment_stays(file: DataFile) -> None:
    file.set_value("one", "size", "8")
    assert changed_lines(file) == (["  size: 4  # why 4"], ["  size: 8  # why 4"])


def test_a_list_is_replaced_in_the_row_that_is_meant(file: DataFile) -> None:
    file.set_value("two", "words", "[z]")
    file.set_value("two", "checked_on", "2026-12-01")
    assert file.text == TEXT.replace("[x, y]", "[z]").replace(
        "name: two\n  checked_on: 2026-11-21", "name: two\n  checked_on: 2026-12-01"
    )


def test_a_folded_text_gives_way_to_a_word(file: DataFile) -> None:
    file.set_value("one", "source", "short")
    assert file.text == TEXT.replace(">-\n    a long source\n    of two lines", "short")


def test_a_missing_field_is_added_at_the_end_of_its_row(file: DataFile) -> None:
    file.set_value("one", "colour", "red")
    file.set_value("two", "colour", "blue")
    assert file.text == TEXT.replace("prices: {}\n", "prices: {}\n  colour: red\n") + "  colour: blue\n"


def test_pairs_on_lines_of_their_own_keep_the_lines_that_stay(file: DataFile) -> None:
    file.set_pairs("one", "zones", {"a-1": "[a1, a2]", "b-1": "[b1]", "c-1": "[c1, c2]", "d-1": "[d1]"})
    zones = "    a-1: [a1, a2]\n    # b is closed\n    b-1: [b1]\n    c-1: [c1, c2]  # half of it\n    d-1: [d1]\n"
    assert file.text == TEXT.replace("    a-1: [a1, a2]\n    # b is closed\n    c-1: [c1]  # half of it\n", zones)


def test_pairs_that_are_gone_take_their_lines_with_them(file: DataFile) -> None:
    file.set_pairs("one", "zones", {"b-1": "[b1]"})
    assert yaml.safe_load(file.text)[0]["zones"] == {"b-1": ["b1"]}
    assert "    # b is closed\n" in file.text


def test_a_block_that_becomes_empty_is_an_empty_mapping(file: DataFile) -> None:
    file.set_pairs("one", "zones", {})
    assert yaml.safe_load(file.text)[0]["zones"] == {}


def test_an_empty_mapping_gets_one_line_while_it_fits_and_more_when_not(file: DataFile) -> None:
    file.set_pairs("one", "prices", {"1.35": "a", "b": "2"})
    file.set_pairs("two", "prices", {f"region-{number}": "12.5" for number in range(12)})
    assert '  prices: {"1.35": a, b: 2}\n' in file.text
    assert "  prices:\n    region-0: 12.5\n    region-1: 12.5\n" in file.text
    assert yaml.safe_load(file.text)[1]["prices"]["region-11"] == 12.5


def test_a_new_row_goes_before_the_first(file: DataFile) -> None:
    file.insert_row("- name: zero\n")
    assert file.text == TEXT.replace("- name: one\n", "- name: zero\n\n- name: one\n")


def test_many_edits_of_one_row_do_not_meet(file: DataFile) -> None:
    file.set_value("one", "checked_on", "2026-12-01")
    file.set_pairs("one", "prices", {"x": "1"})
    file.set_pairs("one", "zones", {"z-1": "[z]"})
    file.set_value("one", "colour", "red")
    first, second = yaml.safe_load(file.text)
    assert (first["prices"], first["zones"], first["colour"]) == ({"x": 1}, {"z-1": ["z"]}, "red")
    assert second == yaml.safe_load(TEXT)[1]
