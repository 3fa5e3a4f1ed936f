"""How lists and quotations read."""

import pytest

from neuron_cluster.findings.text import LONGEST, listed, quoted


@pytest.mark.parametrize(
    ("items", "said"),
    [([], "none"), (["a"], "a"), (["a", "b"], "a and b"), (["a", 2, "c"], "a, 2 and c")],
)
def test_a_list_reads_as_a_person_says_it(items: list[object], said: str) -> None:
    assert listed(items) == said


def test_a_list_of_choices_ends_with_or() -> None:
    assert listed(["a", "b", "c"], "or") == "a, b or c"


def test_a_quotation_stays_on_one_line_and_short() -> None:
    said = quoted("a\nb\x1b[31m" + "x" * 500)
    assert said.isprintable()
    assert len(said) == LONGEST + 2
    assert said.endswith('…"')
