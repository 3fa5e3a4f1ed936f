"""docs/rules.md is what the rules say now."""

from write_rules_page import PAGE, page


def test_the_page_of_rules_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tools/write_rules_page.py"
