"""Keys of a mapping are replaced, added and removed with their comments; nothing else changes."""

from __future__ import annotations

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.starter.block_edit import with_keys, without_comment, without_item

TEXT = """\
groups:
  # Of the item.
  - name: a
    # Of the count.
    count: {min: 0}
    # Of the volume.
    volume:
      # Of the size.
      size: 1
    # Of the last one.
    zone: x

  - {name: b}
other: 1
"""
PATH = ("groups", 0)


def test_a_key_is_replaced_with_its_comment() -> None:
    made = with_keys(TEXT, PATH, {"volume": ("volume: {size: 2}",)})
    assert made == TEXT.replace("    # Of the volume.\n    volume:\n      # Of the size.\n      size: 1\n",
                                "    volume: {size: 2}\n")  # fmt: skip


def test_new_keys_follow_the_one_before_in_their_order() -> None:
    made = with_keys(TEXT, PATH, {"count": ("count: 1",), "efa": ("efa: efa",), "more": ("# Why.", "more: 1")})
    assert "    count: 1\n    efa: efa\n    # Why.\n    more: 1\n    # Of the volume.\n" in made


def test_the_key_that_new_ones_follow_can_be_named() -> None:
    assert "      size: 1\n    efa: efa\n" in with_keys(TEXT, PATH, {"efa": ("efa: efa",)}, after="volume")


def test_a_key_is_removed_and_one_that_is_absent_changes_nothing() -> None:
    assert with_keys(TEXT, PATH, {"zone": (), "none": ()}) == TEXT.replace("    # Of the last one.\n    zone: x\n", "")


def test_a_comment_above_a_line_is_removed() -> None:
    assert without_comment(TEXT, 2) == TEXT.replace("  # Of the item.\n", "")


def test_an_item_is_removed_with_its_comment_and_the_blank_line_above() -> None:
    assert without_item(TEXT, ("groups", 1)) == TEXT.replace("\n  - {name: b}\n", "")
    assert without_item(TEXT, PATH) == "groups:\n\n  - {name: b}\nother: 1\n"


def test_a_mapping_in_braces_is_named() -> None:
    with pytest.raises(ToolkitError, match=r"groups\[1\] of the template cannot be edited"):
        with_keys(TEXT, ("groups", 1), {"zone": ("zone: y",)})
