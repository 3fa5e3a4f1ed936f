"""Putting words on the terminal: findings, tables, JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from neuron_cluster.cli.columns import columns
from neuron_cluster.toolkit_files import IS_CHECKOUT, with_page_commands

if TYPE_CHECKING:
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.table import Table

COLUMNS_OF_A_FILE = 100
"""Width of text in a file or a pipe."""


def width() -> int:
    """Columns to write in: of the terminal, of the variable COLUMNS, else a readable line."""
    return columns(COLUMNS_OF_A_FILE)


def is_coloured(stream: TextIO) -> bool:
    """Colour is for terminals whose owner did not set NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_json(value: Any) -> None:
    """One JSON document on standard output. ASCII, so that no terminal's encoding can break it."""
    print(json.dumps(value, indent=2))


def print_findings_json(findings: Iterable[Finding]) -> None:
    """``{"findings": […]}`` in reading order."""
    from neuron_cluster.findings.finding import in_reading_order

    print_json({"findings": [finding.as_dict() for finding in in_reading_order(findings)]})


def print_findings_sarif(findings: Sequence[Finding]) -> None:
    """One SARIF 2.1.0 log on standard output."""
    import importlib.metadata
    from pathlib import Path

    from neuron_cluster.findings.registry import finding_specs
    from neuron_cluster.report.sarif import sarif_log

    names = {name for finding in findings for name in (finding.location.file, finding.location.extended_by)}
    files = {name: Path(name) for name in names if os.path.isfile(name)}  # noqa: PTH113 - Path.is_file raises for some
    version = importlib.metadata.version("neuron-cluster-toolkit")
    print_json(sarif_log(findings, finding_specs(), version=version, files=files))


def print_findings(findings: Iterable[Finding], stream: TextIO | None = None) -> None:
    """Findings for people; nothing when there are none."""
    from msgspec.structs import replace

    from neuron_cluster.report.findings_text import findings_text

    to = stream or sys.stderr
    shown = [
        replace(each, message=with_page_commands(each.message), hint=with_page_commands(each.hint)) for each in findings
    ]
    print(findings_text(shown, width=width(), colour=is_coloured(to)), end="", file=to)


def print_tables(tables: Sequence[Table], stream: TextIO | None = None) -> None:
    """Tables for people, as wide as they need and at most as wide as the terminal.

    In files and pipes, without a given width, a table is as wide as its words.
    """
    from neuron_cluster.cli.rich_table import table_text, table_with_page_commands

    to = stream or sys.stdout
    for table in tables:
        may_be_wider = not to.isatty() and "COLUMNS" not in os.environ
        shown = table if IS_CHECKOUT else table_with_page_commands(table)
        print(table_text(shown, width(), colour=is_coloured(to), may_be_wider=may_be_wider), file=to)


def print_line(text: str, stream: TextIO | None = None) -> None:
    """A text with names of files, which may have any character, in lines as long as it has."""
    from neuron_cluster.findings.text import printable

    print(printable(text), file=stream or sys.stdout, flush=True)


def print_paragraph(text: str, stream: TextIO) -> None:
    """Text in lines that fit the terminal."""
    from neuron_cluster.findings.text import printable
    from neuron_cluster.report.wrapped import wrapped

    print("\n".join(wrapped(printable(with_page_commands(text)), width())), file=stream, flush=True)


def talk_stream(output_format: str) -> TextIO:
    """Where a verb reports its progress: standard output is kept for the document of JSON and SARIF."""
    return sys.stdout if output_format == "text" else sys.stderr
