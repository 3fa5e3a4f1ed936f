"""What a finding means: the sentence that must hold, why, what happens without it, and its source."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.references import References
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.report.text_page import TextPage

UNKNOWN = "E0018"
WITHOUT_IT = "Without it: "
SEVERITIES = {
    "error": "error: the command stops, with exit status 1",
    "warning": "warning: it is shown, and the command goes on",
}


class FindingExample(Struct, frozen=True):
    """A finding read aloud. ``path`` is a key path of the environment file."""

    path: str
    message: str
    hint: str


class FindingPage(Struct, frozen=True):
    """One id. What does not apply to it is empty."""

    id: str
    chapter: str
    """Number and title: ``3: the machines``."""
    judges: str
    """What is judged: the file as it is written, the plan, a template, an edit."""
    sentence: str
    """What must hold."""
    why: str
    without_it: str
    """What the service answers, or what goes wrong in silence."""
    source: str
    types: tuple[str, ...] = ()
    """CloudFormation types that are judged."""
    operation: str = ""
    """API operation that would refuse, ``ec2:RunInstances``."""
    error_code: str = ""
    """The service's error code."""
    references: References = ()
    """Of people whom it would have helped."""
    example: FindingExample | None = None
    """What is said of a file that breaks it."""

    @property
    def severity(self) -> str:
        return "error" if self.id.startswith("E") else "warning"


def said_in_docstring(docstring: str) -> tuple[str, str, str]:
    """The sentence, why, and what happens without it: how the docstrings of rules are laid out."""
    sentence, _, rest = inspect.cleandoc(docstring).partition("\n")
    why, _, without_it = _plain(rest).partition(WITHOUT_IT)
    return _plain(sentence), why.strip(), without_it


def finding_page(page: FindingPage) -> TextPage:
    """The page for people."""
    without_it = page.without_it and WITHOUT_IT + page.without_it
    facts = {
        "severity": SEVERITIES[page.severity],
        "chapter": page.chapter,
        "judges": page.judges,
        "types": ", ".join(page.types),
        "operation": page.operation,
        "AWS answers": page.error_code,
        "source": page.source,
        "seen in": ", ".join(page.references),
    }
    return TextPage(
        heading=page.id,
        lead=page.sentence,
        paragraphs=(*_paragraphs(page.why), *_paragraphs(without_it), *_example(page)),
        facts=tuple((label, words) for label, words in facts.items() if words),
    )


def chapter_lists(pages: Sequence[FindingPage]) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The ids and sentences of each chapter."""
    chapters = dict.fromkeys(page.chapter for page in pages)
    return tuple(
        (f"Chapter {chapter}", tuple((page.id, page.sentence) for page in pages if page.chapter == chapter))
        for chapter in chapters
    )


def unknown_topic(topic: str, near: Sequence[str]) -> Finding:
    """The finding for a topic that is neither a field nor the id of a finding."""
    message = f'there is no field and no finding "{topic}"' if topic else "the name is empty"
    return Finding(
        UNKNOWN, Location(topic), message, f"{did_you_mean(near)}`neuron-cluster explain` lists what there is"
    )


def _example(page: FindingPage) -> Iterator[str]:
    if page.example is not None:
        yield f"For example, at `{page.example.path}`: {page.example.message}"
        yield f"hint: {page.example.hint}"


def _paragraphs(text: str) -> list[str]:
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def _plain(text: str) -> str:
    return text.strip().replace("``", "`")
