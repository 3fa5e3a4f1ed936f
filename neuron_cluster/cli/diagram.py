"""``neuron-cluster diagram``: the picture of an environment."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb
from neuron_cluster.cli.output_file import STANDARD_OUTPUT, add_output, require_free, write_output

FORMATS = ("svg", "mermaid")
EXAMPLES = """  neuron-cluster diagram train-trn1 --output train-trn1.svg
  neuron-cluster diagram train-trn1 --format mermaid
  neuron-cluster diagram train-trn1 --format mermaid --output train-trn1.mmd"""

TEXT = """Draw an environment: Region, zones and subnets, groups with Neuron devices and
network cards, storage, teams, and what moves between them. Runs offline. SVG is
the picture of `report`, light and dark, without a script; Mermaid is text that
GitHub, GitLab and others draw in a Markdown page.

More than 12 groups: those that differ in their names alone share a box. Prints
on standard output without --output. FILE must not exist, unless --force is set."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "diagram",
        run,
        summary="draw an environment as SVG or Mermaid",
        text=TEXT,
        examples=EXAMPLES,
        formats=FORMATS,
    )
    add_environment(parser)
    add_local_lock(parser)
    add_output(parser, required=False, help_text="the file to write (default: standard output)")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.terminal import print_findings, print_line
    from neuron_cluster.diagram.build_picture import build_picture
    from neuron_cluster.diagram.mermaid import mermaid_text
    from neuron_cluster.diagram.svg import svg_file

    if options.output is not None:
        require_free(options)
    catalog = load_catalog()
    checked = check_environment_file(options)
    picture = build_picture(checked.require_plan(), catalog)
    text = mermaid_text(picture) if options.format == "mermaid" else svg_file(picture)
    if options.output in (None, STANDARD_OUTPUT):
        sys.stdout.write(text)
    else:
        write_output(options, text)
        print_line(f"{options.output}: the picture of {checked.require_plan().name}")
    print_findings(checked.findings)
    return 0
