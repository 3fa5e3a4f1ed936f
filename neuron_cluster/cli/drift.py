"""``neuron-cluster drift``: what was changed outside of CloudFormation."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.drift.records import EnvironmentDrift

EXAMPLES = """  neuron-cluster drift train-trn1                  compare with AWS
  neuron-cluster drift train-trn1 --local          with the running local AWS
  neuron-cluster drift train-trn1 --fail-on error  exit status 3 only where data
                                                   or access is less protected
  neuron-cluster drift train-trn1 --adopt storage.lustre.capacity_gib
  neuron-cluster drift train-trn1 --format json \\
    | jq '.drifts[] | select(.next_deploy.effect == "nothing")'"""

TEXT = """Compare the deployed templates with what AWS services return: what was changed,
deleted or added outside of CloudFormation, by whom and when, what the next
deploy does to it, and the key of the file that would keep it. A deploy of an
unchanged template puts nothing back: CloudFormation compares templates only.

Only reads; DetectStackDrift is not called, which CloudFormation counts as a
write and which compares neither clusters nor node groups, policies of buckets
and keys, file systems, launch templates and rules opened by hand. --adopt edits
the environment file, nothing else; a deploy after it makes the template equal.

Who and when is from CloudTrail, which has changes of the last 90 days, 5 to 15
minutes after they were made. Objects of Kubernetes are not read.

Exit status: 0 no difference in what was read; 3 a difference as bad as
--fail-on; 1 could not look: a call was not answered, and no difference was
found. What is not compared is listed at the end."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "drift",
        run,
        summary="show what was changed outside of CloudFormation",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="ask the running local AWS")
    words = "exit status 3 for differences as bad as this (default: warning)"
    parser.add_argument("--fail-on", choices=("warning", "error"), default="warning", help=words)
    words = "write the actual values into the file: these keys, or all that a difference names"
    parser.add_argument("--adopt", metavar="KEY", nargs="*", help=words)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.drift_type import drift_types
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.deploy.environment_drift import drift_destination, environment_drift
    from neuron_cluster.drift.records import Severity

    opened = open_environment(options)
    print("Reading the resources of the deployed stacks …", file=sys.stderr, flush=True)
    with drift_destination(opened, is_local=options.local) as destination:
        found = environment_drift(opened, destination, drift_types(), datetime.now(UTC))
        where = destination.description
    _print(options, found, where)
    return found.exit_status(Severity(options.fail_on))


def _print(options: argparse.Namespace, found: EnvironmentDrift, where: str) -> None:
    from neuron_cluster.cli.drift_text import drift_text
    from neuron_cluster.cli.terminal import is_coloured, print_findings_sarif, print_json, width
    from neuron_cluster.drift.document import drift_as_data
    from neuron_cluster.drift.findings import drift_findings

    if options.format == "json":
        print_json(drift_as_data(found))
    elif options.format == "sarif":
        print_findings_sarif(list(drift_findings(found)))
    else:
        print(drift_text(found, where, width(), colour=is_coloured(sys.stdout)), flush=True)
