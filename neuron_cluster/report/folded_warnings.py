"""Warnings below other output: those that change resources or cost are shown, the others are counted."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.findings.finding import Finding
from neuron_cluster.report.findings_text import summary

NEVER_FOLDED = frozenset({"W0019", "W3042", "W3052", "W3067"})
"""The file has the name of another environment; a capacity block has not begun, or ends on this day; images do not fit
on the disks of their nodes: the deploy does something else than its reader expects."""


def folded_warnings(warnings: Sequence[Finding]) -> tuple[list[Finding], str]:
    """The warnings to show, and a line that counts the others; an empty line without others."""
    shown = [warning for warning in warnings if warning.id in NEVER_FOLDED]
    others = [warning for warning in warnings if warning not in shown]
    more = " more" if shown else ""
    line = f"{summary(others)}{more}; `neuron-cluster validate` shows them." if others else ""
    return shown, line
