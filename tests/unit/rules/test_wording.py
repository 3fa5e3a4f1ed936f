"""How lists, quotations and suggestions read."""

import pytest

from neuron_cluster.rules.wording import LONGEST, did_you_mean, listed, quoted


@pytest.mark.parametrize(
    ("words", "said"),
    [([], "none"), (["a"], "a"), (["a", "b"], "a and b"), (["a", 2, "c"], "a, 2 and c")],
)
def test_a_list_reads_as_a_person_says_it(words: list[object], said: str) -> None:
    assert listed(words) == said


def test_a_list_of_choices_ends_with_or() -> None:
    assert listed(["a", "b", "c"], "or") == "a, b or c"


def test_a_quotation_stays_on_one_line_and_short() -> None:
    said = quoted("a\nb\x1b[31m" + "x" * 500)
    assert said.isprintable()
    assert len(said) == LONGEST + 2
    assert said.endswith('…"')


def test_nothing_is_suggested_where_no_name_is_near() -> None:
    assert did_you_mean([]) == ""
    assert did_you_mean(["trn1.2xlarge", "trn1.32xlarge"]) == "did you mean trn1.2xlarge or trn1.32xlarge? "
