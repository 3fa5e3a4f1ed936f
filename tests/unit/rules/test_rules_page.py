"""docs/rules.md and the examples of `explain` are what the rules say now."""

from write_rules_page import PAGE, examples_text, page

from neuron_cluster.rules.examples import FILE


def test_the_page_of_rules_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tools/write_rules_page.py"


def test_the_examples_of_rules_are_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == examples_text(), "run python tools/write_rules_page.py"
