"""The state of an environment as a section of its page: the lines that `status` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain

from msgspec import Struct

from neuron_cluster.pages.document import Block, Items, Paragraph, Section, Verbatim, verbatim, without_links
from neuron_cluster.protocol.status import StatusLine, StatusSection, Verdict
from neuron_cluster.report.status_words import WORDS, length, moment, verdict_counts
from neuron_cluster.table import Table


class PageStatus(Struct, frozen=True, kw_only=True):
    """The state of the environment at one moment, the worst sections and lines first."""

    at: datetime
    verdict: Verdict
    """The worst of all lines."""
    where: str
    """The account and Region, in words."""
    sections: Sequence[StatusSection]
    not_looked_at: Sequence[str]


def status_part(status: PageStatus) -> Section:
    return Section(f"Status at {moment(status.at)}", tuple(_blocks(status)))


def _blocks(status: PageStatus) -> Iterator[Block]:
    lines = list(chain.from_iterable(section.lines for section in status.sections))
    yield Paragraph(Verbatim(f"In {status.where}: {verdict_counts(lines)}."))
    bad = [
        (Verbatim(f"{WORDS[line.verdict]} {section.title}: {line.subject}"), tuple(_lines(line, status.at)))
        for section in status.sections
        for line in section.lines
        if line.verdict is not Verdict.HEALTHY
    ]
    if bad:
        yield Items(tuple(bad))
    rows = [
        (section.title, line.subject, line.cause)
        for section in status.sections
        for line in section.lines
        if line.verdict is Verdict.HEALTHY
    ]
    if rows:
        yield verbatim(Table("Healthy", ("part", "resource", "state"), tuple(rows)))
    if status.not_looked_at:
        yield Items((("Not looked at", tuple(map(without_links, status.not_looked_at))),))


def _lines(line: StatusLine, at: datetime) -> Iterator[str]:
    yield Verbatim(line.cause)
    if line.since is not None:
        yield Verbatim(f"Since {moment(line.since)}, for {length(line.since, at)}")
    if line.command:
        yield without_links(f"Next: `{line.command}`") if "`" not in line.command else Verbatim(f"Next: {line.command}")
