"""``neuron-cluster synth``: the CloudFormation templates of an environment."""

from __future__ import annotations

import argparse

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

EXAMPLES = """  neuron-cluster synth train-trn1
  neuron-cluster synth train-trn1 --output build/train-trn1
  npx cdk -a build/train-trn1 diff"""

TEXT = """Write the CDK cloud assembly of an environment (templates, assets and manifest)
for `cdk -a DIR deploy`. Runs offline; the output is reproducible. DIR must be
new, empty, or an earlier assembly; an error leaves it unchanged."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(verbs, "synth", run, summary="write CloudFormation templates", text=TEXT, examples=EXAMPLES)
    add_environment(parser)
    parser.add_argument("--output", metavar="DIR", help="output folder (default: cdk.out/NAME in the project)")


def run(options: argparse.Namespace) -> int:
    from pathlib import Path

    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cli.terminal import print_findings, print_json
    from neuron_cluster.deploy.assembly import read_assembly
    from neuron_cluster.deploy.synthesis import synthesize
    from neuron_cluster.project import shown_path

    opened = open_environment(options)
    opened.require_images()
    output = Path(options.output) if options.output is not None else opened.assembly
    synthesize(opened.project.root, opened.name_for_app, output, opened.locks)
    stacks = [stack.name for stack in read_assembly(output)]
    if options.format == "json":
        findings = [finding.as_dict() for finding in opened.findings]
        print_json({"output": str(output), "stacks": stacks, "findings": findings})
        return 0
    print_findings(opened.findings)
    print(f"{shown_path(output)}: {', '.join(stacks)}")
    return 0
