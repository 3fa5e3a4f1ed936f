"""Findings about the file that have become true since the last deploy: an end of support, a block that is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from neuron_cluster.findings.finding import Finding, Severity
from neuron_cluster.protocol.status import StatusLine, StatusSection, Verdict, error, healthy, warning

TITLE, FINDINGS = "Environment file", "findings"


def file_section(
    then: Sequence[Finding], now: Sequence[Finding], deployed: datetime, toolkit_command: str
) -> StatusSection:
    """Returns a line for each finding of ``now`` that was not one at the last deploy."""
    known = {(finding.id, finding.location) for finding in then}
    lines = [_line(each, toolkit_command) for each in now if (each.id, each.location) not in known]
    none = healthy(FINDINGS, f"no other than at the last deploy, {deployed:%Y-%m-%d}")
    return StatusSection(TITLE, lines or [none])


def undated_section(toolkit_command: str) -> StatusSection:
    """Returns the section where the time of the last deploy is not known."""
    cause = "the time of the last deploy is not known, as no stack was read"
    return StatusSection(TITLE, [StatusLine(FINDINGS, Verdict.NOT_READ, cause, toolkit_command)])


def _line(finding: Finding, toolkit_command: str) -> StatusLine:
    judge = error if finding.severity is Severity.ERROR else warning
    hint = f" ({finding.hint})" if finding.hint else ""
    return judge(f"{finding.id} {finding.location}", f"{finding.message}{hint}", toolkit_command)
