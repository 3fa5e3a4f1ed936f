"""docs/catalog.md is what the catalog says now."""

from write_catalog_page import PAGE, document


def test_the_page_of_the_catalog_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == document(), "run python tools/write_catalog_page.py"
