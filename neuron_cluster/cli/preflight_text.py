"""The preflight of an environment as text: one verdict for each part, the worst first, with every finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from neuron_cluster.deploy.preflight.results import CheckResult, EnvironmentPreflight, Verdict, worst
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import printable
from neuron_cluster.protocol.preflight import Part
from neuron_cluster.report.wrapped import wrapped, wrapped_lines

WORDS = {
    Verdict.ERROR: "ERROR",
    Verdict.WARNING: "warning",
    Verdict.NOT_CHECKED: "not checked",
    Verdict.PASSED: "passed",
    Verdict.NOT_NEEDED: "not needed",
}
COLOURS = {Verdict.ERROR: "\033[31m", Verdict.WARNING: "\033[33m", Verdict.NOT_CHECKED: "\033[35m"}
PLAIN = "\033[0m"
VERDICT_WIDTH, PART_WIDTH = 14, 21
INDENT = " " * VERDICT_WIDTH
BAD = frozenset(COLOURS)
MOST_NAMED = 3
"""Subjects of a check that are named; the JSON document has all."""


def preflight_text(found: EnvironmentPreflight, where: str, width: int, *, colour: bool = False) -> str:
    """``where`` describes the account and Region."""
    counts = Counter(result.verdict for result in found.results)
    counted = ", ".join(f"{counts[verdict]} {WORDS[verdict]}" for verdict in Verdict if counts[verdict])
    lines = [*wrapped(f"{found.environment} in {where}", width), f"{_at(found.at)}: {counted}", ""]
    for part in found.parts:
        results = found.of(part)
        if worst(results) in BAD:
            lines += [*_bad(part, results, width, colour=colour), ""]
        else:
            lines += _good(part, results, width)
    lines += ["", "Not looked at:"]
    lines += [line for each in found.not_looked_at for line in wrapped(printable(each), width, "- ", "  ")]
    return "\n".join(lines)


def _bad(part: Part, results: Sequence[CheckResult], width: int, *, colour: bool) -> Iterator[str]:
    """Yields the part with its verdict, then each check that was made or should have been."""
    verdict = worst(results)
    head = f"{WORDS[verdict]:{VERDICT_WIDTH}}{part.value}"
    yield f"{COLOURS[verdict]}{head}{PLAIN}" if colour else head
    for result in results:
        if result.verdict is Verdict.NOT_NEEDED:
            continue
        text = result.check.what
        if result.verdict is Verdict.PASSED or result.reason:
            text += f": {result.reason or _subjects(result)}"
        first = f"  {WORDS[result.verdict]:{VERDICT_WIDTH - 2}}"
        yield from wrapped(printable(text), width, first, INDENT)
        for finding in result.findings:
            yield from _finding(finding, width)


def _finding(finding: Finding, width: int) -> Iterator[str]:
    place = finding.location
    file = f"{place.file}:{place.line}" if place.line else place.file
    yield printable(INDENT + "  ".join(word for word in (finding.id, file, place.path) if word))
    yield from wrapped_lines(printable(finding.message), width, INDENT + "  ")
    if finding.hint:
        yield from wrapped_lines(printable(f"hint: {finding.hint}"), width, INDENT + "  ")


def _good(part: Part, results: Sequence[CheckResult], width: int) -> list[str]:
    """The names of the checks that passed; of a part that is not needed, of all."""
    verdict = worst(results)
    names = ", ".join(result.check.what for result in results if result.verdict is verdict)
    head = f"{WORDS[verdict]:{VERDICT_WIDTH}}{part.value:{PART_WIDTH}}"
    return wrapped(printable(names), width, head, " " * len(head))


def _subjects(result: CheckResult) -> str:
    more = len(result.subjects) - MOST_NAMED
    return ", ".join(result.subjects[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
