"""``neuron-cluster validate``: everything that is wrong with an environment file."""

from __future__ import annotations

import argparse
import sys

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_verb, as_of_now

EXAMPLES = """  neuron-cluster validate                      every file in environments/
  neuron-cluster validate train-trn1           one environment
  neuron-cluster validate drafts/big.yaml      a file in any folder
  neuron-cluster validate train-trn1 --format json
  neuron-cluster validate --format sarif > findings.sarif
  neuron-cluster validate --strict             in CI: fail on warnings too
  neuron-cluster validate --as-of 2027-03-01   support periods on that date"""

TEXT = """Check environment files: YAML, keys, values, instance types, network, software.
Runs offline in less than a second. Prints every finding with its line and what
to change. Exit status 1 if any finding is an error; with --strict also if any
is a warning."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "validate",
        run,
        summary="check environment files, offline",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
    )
    parser.add_argument(
        "environments",
        metavar="NAME",
        nargs="*",
        help="names of environments, or paths of files (default: all in environments/)",
    )
    parser.add_argument(
        "--local", action="store_true", help="use the lock files of the local AWS, as `deploy --local` does"
    )
    parser.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    add_as_of(parser)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import check_file, naming_local_lock
    from neuron_cluster.cli.terminal import print_findings, print_findings_json, print_findings_sarif, print_line
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.findings.finding import Finding, has_error
    from neuron_cluster.opened_environment import project_findings
    from neuron_cluster.project import environment_file, find_project, require_project

    findings: list[Finding] = []
    if not options.environments:
        files = require_project(options.project).require_environment_files()
    else:
        files = []
        for name in options.environments:
            try:
                files.append(environment_file(name, options.project))
            except InvalidEnvironment as unknown:
                findings += unknown.findings
    for file in files:
        checked = check_file(options, file, as_of=as_of_now(options))
        findings += naming_local_lock(checked.findings, options, file.display_name)
    findings += project_findings(find_project(options.project))
    if options.format == "json":
        print_findings_json(findings)
    elif options.format == "sarif":
        print_findings_sarif(findings)
    elif findings:
        print_findings(findings, sys.stdout)
    else:
        print_line(f"{', '.join(file.display_name for file in files)}: no findings")
    return int(has_error(findings) or (options.strict and bool(findings)))
