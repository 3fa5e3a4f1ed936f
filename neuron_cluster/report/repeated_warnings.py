"""Findings with the same text at many places: a warning of every node group, a finding of every file with one base."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.findings.text import listed

MAX_NAMED = 2
"""Items that a folded warning names; a third one alone is named too."""
INDEX = re.compile(r"\[\d+\]")
PUNCTUATION = ".,:;"
PLURALS = {
    "has": "have", "is": "are", "was": "were", "does": "do", "runs": "run", "writes": "write", "uses": "use",
    "starts": "start", "remains": "remain", "buys": "buy", "belongs": "belong",
}  # fmt: skip
"""Verbs of a message whose subject is a name, and those of several names."""


class _Repeats:
    """Warnings that differ in one word: a name, in the same place of each message."""

    def __init__(self, first: Finding) -> None:
        self.findings = [first]
        self._words = first.message.split(" ")
        self._position: int | None = None

    def take(self, finding: Finding) -> bool:
        """Whether its text is the same; then it is one of them."""
        words = finding.message.split(" ")
        differing = [at for at, pair in enumerate(zip(self._words, words, strict=True)) if pair[0] != pair[1]]
        if len(differing) > 1 or (differing and self._position not in (None, differing[0])):
            return False
        if differing:
            (position,) = differing
            if not (self._words[position][:1].isalpha() and words[position][:1].isalpha()):
                return False
            self._position = position
        self.findings.append(finding)
        return True

    def folded(self) -> Finding:
        first, more = self.findings[0], len(self.findings) - 1
        if not more:
            return first
        words = list(self._words)
        if self._position is not None:
            words[self._position] = _listed([each.message.split(" ")[self._position] for each in self.findings])
            words[self._position + 1 :] = _of_several(words[self._position + 1 :], self._position)
        path = f"{first.location.path} and {more} more place{'' if more == 1 else 's'}"
        location = msgspec.structs.replace(first.location, path=path)
        return msgspec.structs.replace(first, message=" ".join(words), location=location)


def without_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """The findings; warnings of one id, hint and key that differ in one name of the message are the first of them."""
    found: list[_Repeats] = []
    by_likeness: dict[tuple[object, ...], list[_Repeats]] = {}
    for finding in findings:
        alike = by_likeness.setdefault(_likeness(finding), [])
        is_repeated = finding.severity is Severity.WARNING and any(repeats.take(finding) for repeats in alike)
        if not is_repeated:
            alike.append(_Repeats(finding))
            found.append(alike[-1])
    return [repeats.folded() for repeats in found]


def once_in_each_base(findings: Iterable[Finding]) -> list[Finding]:
    """The findings; those in a base that differ in the environment alone are one, which names the environments."""
    names: dict[Finding, dict[str, None]] = {}
    known: set[Finding] = set()
    found: list[Finding] = []
    for finding in findings:
        alone, environment = _extended_by(finding, ""), finding.location.extended_by
        if not environment or alone not in known:
            found.append(alone)
        known.add(alone)
        if environment:
            names.setdefault(alone, {})[environment] = None
    return [_extended_by(finding, _environments(list(names.get(finding, ())))) for finding in found]


def _extended_by(finding: Finding, environments: str) -> Finding:
    location = msgspec.structs.replace(finding.location, extended_by=environments)
    return msgspec.structs.replace(finding, location=location)


def _environments(names: Sequence[str]) -> str:
    """``a.yaml, b.yaml and 8 more``; empty without names."""
    if len(names) > MAX_NAMED + 1:
        names = [*names[:MAX_NAMED], f"{len(names) - MAX_NAMED} more"]
    return listed(names) if names else ""


def _likeness(finding: Finding) -> tuple[object, ...]:
    place = finding.location
    return finding.id, place.file, INDEX.sub("[]", place.path), finding.hint, len(finding.message.split(" "))


def _of_several(words: list[str], position: int) -> list[str]:
    """The words after a subject that became several; another word of the sentence than the first has no verb."""
    verb = PLURALS.get(words[0]) if words and not position else None
    return [verb, *words[1:]] if verb else words


def _listed(words: Sequence[str]) -> str:
    """``trn2-a, trn2-b and 98 more:``; with the punctuation of the words after them."""
    names = list(dict.fromkeys(word.rstrip(PUNCTUATION) for word in words))
    end = words[0][len(words[0].rstrip(PUNCTUATION)) :]
    if len(names) > MAX_NAMED + 1:
        names = [*names[:MAX_NAMED], f"{len(names) - MAX_NAMED} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}{end}"
