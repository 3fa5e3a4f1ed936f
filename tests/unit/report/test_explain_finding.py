"""Docstrings of rules become pages."""

from __future__ import annotations

from neuron_cluster.report.explain_finding import FindingPage, chapter_lists, finding_page, said_in_docstring

DOCSTRING = """The sentence, with a ``name``.

    Why it is so.

    A second reason.

    Without it: the service
    answers.
    """


def test_a_docstring_is_a_sentence_why_and_what_happens_without_it() -> None:
    sentence, why, without_it = said_in_docstring(DOCSTRING)
    assert sentence == "The sentence, with a `name`."
    assert why == "Why it is so.\n\nA second reason."
    assert without_it.split() == ["the", "service", "answers."]


def test_a_docstring_of_one_sentence_leaves_the_rest_empty() -> None:
    assert said_in_docstring("Only this.") == ("Only this.", "", "")


def test_what_a_page_does_not_have_is_left_out() -> None:
    page = finding_page(FindingPage("W1", "1: one", "the file", "Sentence.", "", "", "source"))
    assert [label for label, _ in page.facts] == ["severity", "chapter", "judges", "source"]
    assert page.facts[0][1].startswith("warning")
    assert page.paragraphs == ()


def test_pages_are_listed_by_chapter_in_their_order() -> None:
    pages = [FindingPage(f"E{n}", f"{n}: x", "", "S.", "", "", "") for n in (2, 1)]
    assert [title for title, _ in chapter_lists(pages)] == ["Chapter 2: x", "Chapter 1: x"]
