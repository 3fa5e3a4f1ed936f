"""Sentences of comments that no longer hold are removed; the others stay."""

from __future__ import annotations

from neuron_cluster.starter.comments import with_head, without_sentences

TEXT = """\
# schema
# What it is. About a block.
#
# Check it

a:
  # The zone of the block. Two zones are needed, `plan` shows how many. Blocks end.
  b: 1  # About a block.
  # Byte for   byte.
  c: 1
"""


def test_stale_sentences_are_removed_below_the_head() -> None:
    made = without_sentences(TEXT, [r"(?i:\bblocks?\b)"])
    assert made == TEXT.replace("# The zone of the block. Two zones are needed, `plan` shows how many. Blocks end.",
                                "# Two zones are needed, `plan` shows how many.")  # fmt: skip


def test_a_sentence_that_continues_a_stale_one_is_removed_too() -> None:
    text = "# schema\n\n# Of a block. It ends. They end. Other ones stay. It stays.\na: 1\n"
    assert without_sentences(text, ["block"]) == "# schema\n\n# Other ones stay. It stays.\na: 1\n"


def test_without_patterns_nothing_changes() -> None:
    assert without_sentences(TEXT, []) == TEXT


def test_the_first_paragraph_is_replaced() -> None:
    made = with_head(TEXT, "Another one.")
    assert made == TEXT.replace("# What it is. About a block.", "# Another one.")
