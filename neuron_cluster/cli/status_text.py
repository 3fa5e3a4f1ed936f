"""The state of an environment as text: one screen where it is healthy, else the worst first with cause and command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from neuron_cluster.findings.text import printable
from neuron_cluster.protocol.status import StatusLine, StatusSection, Verdict
from neuron_cluster.report.status_words import WORDS, length, moment, verdict_counts
from neuron_cluster.report.wrapped import wrapped
from neuron_cluster.status.environment_status import EnvironmentStatus

COLOURS = {Verdict.ERROR: "\033[31m", Verdict.WARNING: "\033[33m", Verdict.NOT_READ: "\033[35m", Verdict.HEALTHY: ""}
PLAIN = "\033[0m"
VERDICT_WIDTH, TITLE_WIDTH = 10, 18
INDENT = " " * VERDICT_WIDTH
MOST_LINES_OF_A_SECTION = 3
"""Healthy lines of a section that are printed one by one; more are counted, and only named."""


def status_text(status: EnvironmentStatus, where: str, width: int, *, colour: bool = False) -> str:
    """``where`` describes the account and Region."""
    lines = [
        *wrapped(f"{status.environment} in {where}", width),
        f"{moment(status.at)}: {verdict_counts(status.lines)}",
        "",
    ]
    for section in status.sections:
        for line in section.lines:
            if line.verdict is not Verdict.HEALTHY:
                lines += _tinted(line.verdict, list(_bad(section, line, status.at, width)), colour=colour)
    for section in status.sections:
        lines += _healthy(section, status.environment, width)
    if status.not_looked_at:
        lines += ["", "Not looked at:"]
        lines += [part for each in status.not_looked_at for part in wrapped(each, width, "- ", "  ")]
    return "\n".join(lines)


def _bad(section: StatusSection, line: StatusLine, at: datetime, width: int) -> Iterator[str]:
    yield f"{WORDS[line.verdict]:{VERDICT_WIDTH}}{section.title:{TITLE_WIDTH}}{printable(line.subject)}"
    yield from wrapped(printable(line.cause), width, INDENT, INDENT)
    if line.since is not None:
        yield f"{INDENT}since {moment(line.since)}, for {length(line.since, at)}"
    if line.command:
        yield f"{INDENT}next: {printable(line.command)}"
    yield ""


def _healthy(section: StatusSection, environment: str, width: int) -> list[str]:
    lines = [line for line in section.lines if line.verdict is Verdict.HEALTHY]
    if not lines:
        return []
    head = f"{WORDS[Verdict.HEALTHY]:{VERDICT_WIDTH}}{section.title:{TITLE_WIDTH}}"
    rest = " " * len(head)
    if len(lines) > MOST_LINES_OF_A_SECTION:
        return [_shortened(f"{head}{len(lines)}: {_names(lines, environment)}", width)]
    return [
        part
        for number, line in enumerate(lines)
        for part in wrapped(printable(f"{line.subject}: {line.cause}"), width, rest if number else head, rest)
    ]


def _names(lines: Sequence[StatusLine], environment: str) -> str:
    return ", ".join(printable(line.subject.removeprefix(f"{environment}-")) for line in lines)


def _shortened(line: str, width: int) -> str:
    """The names that fit: all of them are in the JSON document."""
    if len(line) <= width:
        return line
    whole = line[: width - 2].rpartition(", ")[0]
    return f"{whole}, …"


def _tinted(verdict: Verdict, lines: list[str], *, colour: bool) -> list[str]:
    """The first line in the colour of the verdict."""
    tint = COLOURS[verdict] if colour else ""
    return [f"{tint}{lines[0]}{PLAIN}", *lines[1:]] if tint else lines
