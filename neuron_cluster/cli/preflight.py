"""``neuron-cluster preflight``: whether an account is ready for a deploy of one environment."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of_now

if TYPE_CHECKING:
    from neuron_cluster.deploy.preflight.results import EnvironmentPreflight, Verdict

EXAMPLES = """  neuron-cluster preflight train-trn1                  ask the account of the file
  neuron-cluster preflight train-trn1 --local          ask the running local AWS
  neuron-cluster preflight train-trn1 --fail-on error  exit status 3 only where a
                                                       deploy would stop
  neuron-cluster preflight train-trn1 --format junit > preflight.xml
  neuron-cluster preflight train-trn1 --format json \\
    | jq '.parts[].checks[] | select(.verdict == "not_checked")'"""

TEXT = """Run every check that `deploy` makes before it changes anything, without a deploy:
account and bootstrap of CDK, quotas with requests that AWS has not decided,
capacity, keys, resources that exist, pinned images, stacks; and whether the
policies of the caller allow it, by IAM's policy simulation. Only reads.

Verdicts: "error" stops a deploy; "warning" does not, and may fail later; "not
checked" is unknown, as a permission is missing or AWS did not respond; "passed"
was queried, and is as it should be; "not needed": the environment has nothing
of the kind, and no call was made. What no check is about is listed at the end.

In JUnit a check that was not made is skipped, never passed: let the exit status
decide.

Exit status: 0 passed; 3 a check as bad as --fail-on; 1 could not look, as a
check was not made and nothing else is wrong, or as there are no credentials."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "preflight",
        run,
        summary="check whether an account is ready for a deploy",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
        more_formats={"junit": "the test reports of CI systems (XML)"},
    )
    add_environment(parser)
    parser.add_argument("--local", action="store_true", help="ask the running local AWS")
    add_as_of(parser)
    help_text = "exit status 3 from this verdict on (default: warning); a check that was not made is 1 with both"
    parser.add_argument("--fail-on", choices=("warning", "error"), default="warning", help=help_text)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.deploy.environment_preflight import environment_preflight, preflight_destination
    from neuron_cluster.deploy.preflight.results import Verdict

    opened = open_environment(options, as_of=as_of_now(options))
    if sys.stderr.isatty():
        print("Asking the account …", file=sys.stderr, flush=True)
    with preflight_destination(opened, is_local=options.local) as destination:
        found = environment_preflight(opened, destination, datetime.now(UTC))
        where = destination.description
    _print(options.format, found, where, Verdict(options.fail_on))
    return found.exit_status(Verdict(options.fail_on))


def _print(output_format: str, found: EnvironmentPreflight, where: str, fail_on: Verdict) -> None:
    from neuron_cluster.cli.preflight_junit import preflight_as_cases
    from neuron_cluster.cli.preflight_text import preflight_text
    from neuron_cluster.cli.terminal import is_coloured, print_findings_sarif, print_json, width
    from neuron_cluster.deploy.preflight.document import preflight_as_data
    from neuron_cluster.report.junit import junit_text

    if output_format == "json":
        print_json(preflight_as_data(found))
    elif output_format == "sarif":
        print_findings_sarif(found.findings)
    elif output_format == "junit":
        print(junit_text(f"preflight of {found.environment}", preflight_as_cases(found, fail_on)))
    else:
        print(preflight_text(found, where, width(), colour=is_coloured(sys.stdout)), flush=True)
