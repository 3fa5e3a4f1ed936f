"""``plan --time``: the expected time of a first deploy, from the templates."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.timing.expected_time import ExpectedTime


def show_time(options: argparse.Namespace) -> int:
    """Prints the expected time alone."""
    from neuron_cluster.cli.arguments import as_of
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json

    opened = open_environment(options, as_of=as_of(options))
    found = _expected(opened)
    if options.format == "json":
        print_json(time_as_data(found, opened.findings))
    else:
        print_time(opened.plan.name, found)
        print_findings(opened.findings)
    return 0


def time_as_data(found: ExpectedTime, findings: Sequence[Finding]) -> dict[str, Any]:
    """The document of ``plan --time``."""
    from neuron_cluster.report.plain_data import plain

    return {"time": plain(found), "findings": [finding.as_dict() for finding in findings]}


def synthesized_time(options: argparse.Namespace) -> ExpectedTime:
    """The expected time of the environment of a command line.

    Raises ``InvalidEnvironment`` for an error in the file, ``ToolkitError`` outside of a project.
    """
    from neuron_cluster.cli.arguments import as_of
    from neuron_cluster.cli.open_environment import open_environment

    return _expected(open_environment(options, as_of=as_of(options)))


def _expected(opened: OpenedEnvironment) -> ExpectedTime:
    """Synthesizes the templates, unless they are kept from an earlier synthesis."""
    from neuron_cluster.deploy.synthesis import private_assembly
    from neuron_cluster.deploy.timed_assembly import expected_time_of, timed_stacks

    opened.require_images()
    print("Synthesizing templates …", file=sys.stderr, flush=True)
    with private_assembly(opened.project.root, opened.name_for_app, opened.locks) as assembly:
        return expected_time_of(timed_stacks(assembly, opened.catalog))


def print_time(name: str, found: ExpectedTime) -> None:
    """The time of all stacks, then the critical path, and what counts as no time."""
    from neuron_cluster.cli.terminal import print_paragraph, print_tables
    from neuron_cluster.report.time_page import time_lines, time_table
    from neuron_cluster.timing.time_text import range_text

    print_paragraph(f"{name}: a first deploy takes {range_text(found.seconds)}.", sys.stdout)
    print()
    print_tables([time_table(found, "Critical path")])
    for line in time_lines(found):
        print_paragraph(line, sys.stdout)
