"""Findings as a person reads them: place, id and key path; the message; what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from neuron_cluster.findings.finding import Finding, Severity, in_reading_order
from neuron_cluster.findings.text import counted, printable
from neuron_cluster.report.repeated_warnings import once_in_each_base, without_repeats
from neuron_cluster.report.wrapped import wrapped_lines

NARROWEST, WIDEST = 40, 120
"""Columns. Longer lines than the widest are hard to read on any screen."""

_BOLD, _RED, _YELLOW, _DIM, _PLAIN = "\033[1m", "\033[31m", "\033[33m", "\033[2m", "\033[0m"


def findings_text(findings: Iterable[Finding], *, width: int = 80, colour: bool = False) -> str:
    """Findings by file and line, a warning of many items once, then a line that counts them. Empty without findings."""
    ordered = once_in_each_base(in_reading_order(findings))
    if not ordered:
        return ""
    columns = max(NARROWEST, min(width, WIDEST))
    blocks = [_block(finding, columns, colour=colour) for finding in without_repeats(ordered)]
    return "\n\n".join(blocks) + f"\n\n{summary(ordered)}\n"


def summary(findings: Sequence[Finding]) -> str:
    """``2 errors, 1 warning``; ``1 error, 3 warnings (102 places)``; ``no findings``."""
    shown = without_repeats(findings)
    errors = sum(f.severity is Severity.ERROR for f in shown)
    parts = [counted(number, noun) for number, noun in ((errors, "error"), (len(shown) - errors, "warning")) if number]
    places = f" ({len(findings) - errors} places)" if len(findings) > len(shown) else ""
    return (", ".join(parts) or "no findings") + places


def _block(finding: Finding, width: int, *, colour: bool) -> str:
    place = finding.location
    where = printable(f"{place.file}:{place.line}" if place.line else place.file or "(no name)").replace("\n", "\\n")
    tint = _RED if finding.severity is Severity.ERROR else _YELLOW
    head = [where, finding.id, printable(place.path)]
    if colour:
        head[0], head[1] = f"{_BOLD}{where}{_PLAIN}", f"{tint}{finding.id}{_PLAIN}"
    lines = ["  ".join(part for part in head if part)]
    lines += _wrapped(finding.message, width, "  ")
    if place.extended_by:
        lines += _wrapped(f"note: this file is a base of {place.extended_by}", width, "  ")
    if finding.hint:
        hint = _wrapped(f"hint: {finding.hint}", width, "  ")
        lines += [f"{_DIM}{line}{_PLAIN}" for line in hint] if colour else hint
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return wrapped_lines(printable(text), width, indent)
