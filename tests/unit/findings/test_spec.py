"""Docstrings of rules become finding specs."""

from __future__ import annotations

from neuron_cluster.findings.spec import docstring_parts

DOCSTRING = """The sentence, with a ``name``.

    Why it
    is so.
    - A case.
    - Another
      case.

    A second reason.

    Without this check the service
    answers.
    """


def test_a_docstring_is_a_title_a_reason_and_a_consequence() -> None:
    title, reason, consequence = docstring_parts(DOCSTRING)
    assert title == "The sentence, with a `name`."
    assert reason == "Why it is so.\n\n- A case.\n\n- Another case.\n\nA second reason."
    assert consequence == "the service answers."


def test_a_docstring_of_one_sentence_leaves_the_rest_empty() -> None:
    assert docstring_parts("Only this.") == ("Only this.", "", "")
