"""docs/rules.md, docs/rules/ and the examples of `explain` are what the rules say now."""

from reference_pages import outdated
from write_rules_page import NAME, examples_text, pages

from neuron_cluster.rules.examples import FILE


def test_the_pages_of_rules_are_fresh() -> None:
    assert outdated(NAME, pages()) == [], "run python tools/write_rules_page.py"


def test_the_examples_of_rules_are_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == examples_text(), "run python tools/write_rules_page.py"
