"""The plan as text: the summary, which one screen shows, and every table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.report.plan_summary import SummaryParts


def print_summary(parts: SummaryParts, argument: str) -> None:
    """Ten lines, then groups, storage, subnets and teams. ``argument`` names the environment to a command."""
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables
    from neuron_cluster.report.folded_warnings import folded_warnings
    from neuron_cluster.report.plan_overview import overview_tables
    from neuron_cluster.report.plan_page import summary_closing_lines
    from neuron_cluster.report.plan_summary import summary_lines

    print_summary_lines(summary_lines(parts), sys.stdout)
    print()
    print_tables(overview_tables(parts.plan, parts.catalog))
    for line in summary_closing_lines(parts, argument):
        print_paragraph(line, sys.stdout)
    shown, others = folded_warnings(parts.findings)
    print_findings(shown)
    if others:
        print_paragraph(others, sys.stderr)


def print_summary_lines(lines: Sequence[str], stream: TextIO) -> None:
    """Lines that fit the terminal; what a narrow one wraps is below the value, not below the label."""
    from neuron_cluster.cli.terminal import width
    from neuron_cluster.findings.text import printable
    from neuron_cluster.report.plan_summary import LABEL_WIDTH
    from neuron_cluster.report.wrapped import wrapped

    for line in lines:
        print("\n".join(wrapped(printable(line), width(), "", " " * LABEL_WIDTH)), file=stream, flush=True)


def print_details(parts: SummaryParts, written: Container[KeyPath]) -> None:
    """Every table. ``written`` has the keys that the file names: the others are marked."""
    from neuron_cluster.cli.terminal import print_paragraph, print_tables, width
    from neuron_cluster.report.plan_page import closing_lines, plan_tables

    print_tables(plan_tables(parts.plan, parts.catalog, written, width()))
    for line in closing_lines(parts.plan, parts.catalog, parts.cost.on):
        print_paragraph(line, sys.stdout)
