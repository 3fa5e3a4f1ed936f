"""The drift of an environment as text: the worst first, what was not compared last."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from neuron_cluster.drift.findings import difference_text, edit_text, not_read_text
from neuron_cluster.drift.records import Drift, EnvironmentDrift, Severity
from neuron_cluster.findings.text import printable
from neuron_cluster.report.wrapped import wrapped

COLOURS = {Severity.ERROR: "\033[31m", Severity.WARNING: "\033[33m"}
PLAIN = "\033[0m"
WORDS = {Severity.ERROR: "ERROR", Severity.WARNING: "warning"}
INDENT = " " * 10
LABEL = 13
"""Columns of a label."""


def drift_text(found: EnvironmentDrift, where: str, width: int, *, colour: bool = False) -> str:
    """``where`` describes the account and Region."""
    lines = [*wrapped(f"{found.environment} in {where}", width), f"{_at(found.at)}: {_counted(found)}"]
    for drift in found.drifts:
        lines += ["", *_tinted(drift.severity, list(_drift(drift, found, width)), colour=colour)]
    if found.trail is not None:
        sentence = f"Who changed it is not known: CloudTrail was not read ({found.trail.reason})."
        lines += ["", *wrapped(printable(sentence), width)]
    if found.uncompared:
        lines += ["", "Not compared:", *_not_compared(found, width)]
    return "\n".join([*lines, "", *wrapped(_extent(found), width)])


def _counted(found: EnvironmentDrift) -> str:
    if not found.drifts:
        return "no difference in what was read"
    errors = sum(drift.severity is Severity.ERROR for drift in found.drifts)
    count = len(found.drifts)
    text = "1 difference" if count == 1 else f"{count} differences"
    return f"{text} from the deployed templates, {errors} of them in what protects data and access"


def _drift(drift: Drift, found: EnvironmentDrift, width: int) -> Iterator[str]:
    name = drift.logical_id or drift.physical_id
    yield printable(f"{WORDS[drift.severity]:10}{drift.stack}/{name}{drift.property}")
    yield from wrapped(printable(f"{drift.type}: {difference_text(drift)}"), width, INDENT, INDENT)
    for label, text in _facts(drift, found):
        hanging = INDENT + " " * LABEL
        yield from wrapped(printable(text), width, f"{INDENT}{label:{LABEL}}", hanging)


def _facts(drift: Drift, found: EnvironmentDrift) -> Iterator[tuple[str, str]]:
    event = drift.changed_by
    if event is not None:
        yield "changed by", f"{event.who}, {event.event}, {_at(event.at)}"
    elif found.trail is None:
        yield "changed by", "not known yet: CloudTrail has no event that names it"
    yield "next deploy", f"{drift.next_deploy.effect}: {drift.next_deploy.reason}"
    if drift.edit is not None:
        yield "to keep it", f"{edit_text(drift.edit)} (--adopt {drift.edit.key})"


def _not_compared(found: EnvironmentDrift, width: int) -> Iterator[str]:
    for part in found.uncompared:
        count = len(part.resources)
        text = f"{count} of the resources: {part.reason}" if part.is_never_read else not_read_text(part)
        yield from wrapped(printable(text), width, "- ", "  ")


def _extent(found: EnvironmentDrift) -> str:
    stacks = "1 stack" if len(found.stacks) == 1 else f"{len(found.stacks)} stacks"
    return f"{found.compared} of {found.resources} resources of {stacks} were compared, with {found.calls} calls."


def _tinted(severity: Severity, lines: list[str], *, colour: bool) -> list[str]:
    """The first line in the colour of the severity."""
    return [f"{COLOURS[severity]}{lines[0]}{PLAIN}", *lines[1:]] if colour else lines


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
