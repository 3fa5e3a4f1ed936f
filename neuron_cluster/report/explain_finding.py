"""The page of a finding: its title, the reason, the consequence without the check, and the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.spec import CONSEQUENCE, FindingSpec
from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.report.text_page import TextPage

UNKNOWN = "E0018"
ACCEPTED = "nothing: AWS accepts it, this toolkit does not"
SEVERITIES = {
    "error": "error: the command stops, with exit status 1",
    "warning": "warning: it is shown, and the command continues",
}


def finding_page(spec: FindingSpec) -> TextPage:
    """The page for people."""
    consequence = spec.consequence and CONSEQUENCE + spec.consequence
    facts = {
        "severity": SEVERITIES[spec.severity],
        "chapter": spec.chapter,
        "judges": spec.judges,
        "types": ", ".join(spec.types),
        "operation": spec.operation,
        "AWS returns": spec.error_code or (ACCEPTED if spec.operation else ""),
        "source": spec.source,
        "seen in": ", ".join(spec.references),
    }
    return TextPage(
        heading=spec.id,
        lead=spec.title,
        paragraphs=(*_paragraphs(spec.reason), *_paragraphs(consequence), *_example(spec)),
        facts=tuple((label, text) for label, text in facts.items() if text),
    )


def chapter_lists(specs: Sequence[FindingSpec]) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The ids and titles of each chapter."""
    chapters = dict.fromkeys(spec.chapter for spec in specs)
    return tuple(
        (f"Chapter {chapter}", tuple((spec.id, spec.title) for spec in specs if spec.chapter == chapter))
        for chapter in chapters
    )


def unknown_topic(topic: str, near: Sequence[str]) -> Finding:
    """The finding for a topic that is neither a field nor the id of a finding."""
    message = f'unknown field or finding "{topic}"' if topic else "the name is empty"
    return Finding(
        UNKNOWN, Location(topic), message, f"{did_you_mean(near)}`neuron-cluster explain` lists what there is"
    )


def _example(spec: FindingSpec) -> Iterator[str]:
    if spec.example is not None:
        yield f"For example, at `{spec.example.path}`: {spec.example.message}"
        yield f"hint: {spec.example.hint}"


def _paragraphs(text: str) -> list[str]:
    return [paragraph for paragraph in text.split("\n\n") if paragraph]
