"""``neuron-cluster synth``: the CloudFormation templates of an environment, or its files for another tool."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb

if TYPE_CHECKING:
    from neuron_cluster.opened_environment import OpenedEnvironment

EXPORTS = ("parallelcluster",)
"""Formats that a provider writes; a test compares them with the registered ones."""

EXAMPLES = """  neuron-cluster synth train-trn1
  neuron-cluster synth train-trn1 --output build/train-trn1
  npx cdk -a build/train-trn1 diff
  neuron-cluster synth slurm-trn1 --format parallelcluster --output pcluster"""

TEXT = """Write the CDK cloud assembly of an environment (templates, assets and manifest)
for `cdk -a DIR deploy`. Runs offline; the output is reproducible. DIR must be
new, empty, or an earlier assembly; an error leaves it unchanged.

--format parallelcluster writes the Slurm cluster of the environment as
configuration of AWS ParallelCluster 3 (cluster.yaml), that of its AMI
(image.yaml), and a script that replaces ids which exist after a deploy alone
(fill_in.sh). Warnings name what the configuration does not hold. DIR must be
new or empty. `neuron-cluster explain docs/slurm.md` prints the steps."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "synth",
        run,
        summary="write CloudFormation templates",
        text=TEXT,
        examples=EXAMPLES,
        more_formats={"parallelcluster": "configuration of AWS ParallelCluster"},
    )
    add_environment(parser)
    add_local_lock(parser)
    parser.add_argument(
        "--output",
        metavar="DIR",
        help="output folder (default: cdk.out/NAME in the project; for another format cdk.out/NAME.FORMAT)",
    )


def run(options: argparse.Namespace) -> int:
    from pathlib import Path

    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json, print_line
    from neuron_cluster.deploy.assembly import read_assembly
    from neuron_cluster.deploy.synthesis import synthesize
    from neuron_cluster.project import shown_path

    opened = open_environment(options)
    if options.format in EXPORTS:
        return _export(opened, options)
    opened.require_images()
    output = Path(options.output) if options.output is not None else opened.assembly
    print("Synthesizing templates …", file=sys.stderr, flush=True)
    stacks: list[str] = []

    def show(assembly: Path) -> None:
        stacks.extend(stack.name for stack in read_assembly(assembly))
        print(f"Synthesized {', '.join(stacks)}.", file=sys.stderr, flush=True)

    synthesize(opened.project.root, opened.name_for_app, output, opened.locks, show)
    if options.format == "json":
        findings = [finding.as_dict() for finding in opened.findings]
        print_json({"output": str(output), "stacks": stacks, "findings": findings})
        return 0
    print_findings(opened.findings)
    print_line(f"{shown_path(output)}: {', '.join(stacks)}")
    return 0


def _export(opened: OpenedEnvironment, options: argparse.Namespace) -> int:
    """Raises ``InvalidEnvironment`` with every finding where one is an error; nothing is then written."""
    from pathlib import Path

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.terminal import print_findings, print_line
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import Finding, has_error, in_reading_order
    from neuron_cluster.new_folder import write_folder
    from neuron_cluster.project import shown_path
    from neuron_cluster.protocol.registry import registered

    exporter = next(each for each in registered() if options.format in each.export_formats)
    export = exporter.export(options.format, opened.plan, load_catalog())
    found = [Finding(each.id, opened.locate(each.path), each.message, each.hint) for each in export.findings]
    findings = in_reading_order([*opened.findings, *found])
    if has_error(findings):
        raise InvalidEnvironment(findings)
    if options.output is None:
        output = opened.assembly.with_name(f"{opened.plan.name}.{options.format}")
        output.parent.mkdir(parents=True, exist_ok=True)
    else:
        output = Path(options.output)
    write_folder(output, export.files)
    print_findings(findings)
    print_line(f"{shown_path(output)}: {', '.join(export.files)}")
    return 0
