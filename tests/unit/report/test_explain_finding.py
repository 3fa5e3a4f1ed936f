"""Finding specs become pages."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec
from neuron_cluster.report.explain_finding import chapter_lists, finding_page


def test_what_a_page_does_not_have_is_left_out() -> None:
    page = finding_page(FindingSpec("W1", "1: one", "the file", "Title.", "", source="source"))
    assert [label for label, _ in page.facts] == ["severity", "chapter", "judges", "source"]
    assert page.facts[0][1].startswith("warning")
    assert page.paragraphs == ()


def test_pages_are_listed_by_chapter_in_their_order() -> None:
    pages = [FindingSpec(f"E{n}", f"{n}: x", "", "S.", "") for n in (2, 1)]
    assert [title for title, _ in chapter_lists(pages)] == ["Chapter 2: x", "Chapter 1: x"]
