"""``plan --time``: the expected time of a first deploy, from the templates."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.timing.expected_time import ExpectedTime


def show_time(options: argparse.Namespace) -> int:
    """Synthesizes the templates, unless they are kept from an earlier synthesis, and prints the time of all stacks."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.arguments import as_of
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.deploy.synthesis import private_assembly
    from neuron_cluster.deploy.timed_assembly import expected_time_of, timed_stacks

    opened = open_environment(options, as_of=as_of(options))
    opened.require_images()
    print("Synthesizing templates …", file=sys.stderr, flush=True)
    with private_assembly(opened.project.root, opened.name_for_app, opened.locks) as assembly:
        found = expected_time_of(timed_stacks(assembly, load_catalog()))
    print_time(options.format, opened.plan.name, found, opened.findings)
    return 0


def print_time(output_format: str, name: str, found: ExpectedTime, findings: Sequence[Finding]) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_paragraph, print_tables
    from neuron_cluster.report.plain_data import plain
    from neuron_cluster.report.time_page import time_lines, time_table
    from neuron_cluster.timing.time_text import range_text

    if output_format == "json":
        print_json({"time": plain(found), "findings": [finding.as_dict() for finding in findings]})
        return
    print_paragraph(f"{name}: a first deploy takes {range_text(found.seconds)}.", sys.stdout)
    print()
    print_tables([time_table(found, "Critical path")])
    for line in time_lines(found):
        print_paragraph(line, sys.stdout)
    print_findings(findings)
