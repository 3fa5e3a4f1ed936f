"""docs/catalog.md and docs/catalog/ are what the catalog has now."""

from reference_pages import outdated
from write_catalog_page import NAME, pages


def test_the_pages_of_the_catalog_are_fresh() -> None:
    assert outdated(NAME, pages()) == [], "run python tools/write_catalog_page.py"
