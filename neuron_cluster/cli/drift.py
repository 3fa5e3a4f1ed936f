"""``neuron-cluster drift``: what was changed outside of CloudFormation."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.drift.records import EnvironmentDrift
    from neuron_cluster.upgrade.edited_files import EditedValues

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
    help_text = "exit status 3 for differences as bad as this (default: warning)"
    parser.add_argument("--fail-on", choices=("warning", "error"), default="warning", help=help_text)
    help_text = "write the actual values into the file: these keys, or all that a difference names"
    parser.add_argument("--adopt", metavar="KEY", nargs="*", help=help_text)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.deploy.deployed_destination import deployed_destination
    from neuron_cluster.deploy.environment_drift import environment_drift
    from neuron_cluster.drift.records import Severity

    opened = open_environment(options)
    if sys.stderr.isatty():
        print("Reading the resources of the deployed stacks …", file=sys.stderr, flush=True)
    local = opened.project if options.local else None
    with deployed_destination(opened.plan, opened.locate, local) as destination:
        found = environment_drift(opened, destination, load_catalog(), datetime.now(UTC))
        where = destination.description
    adoption = _adoption(options, found) if options.adopt is not None else None
    _print(options, found, where, adoption)
    if adoption is not None and adoption.files.new_errors:
        return 1
    return found.exit_status(Severity(options.fail_on))


class Adoption(NamedTuple):
    """The files with the values of ``--adopt``, which are written where they cause no error."""

    files: EditedValues
    keys: tuple[str, ...]

    @property
    def written(self) -> tuple[str, ...]:
        return () if self.files.new_errors else self.keys


def _adoption(options: argparse.Namespace, found: EnvironmentDrift) -> Adoption:
    """Writes the edits of ``--adopt`` unless they would cause errors."""
    from neuron_cluster.cli.open_environment import local_project
    from neuron_cluster.drift.adoption import adopted_edits
    from neuron_cluster.project import environment_file
    from neuron_cluster.upgrade.adopted_values import edits_of, with_adopted

    adopted = adopted_edits(found, options.adopt)
    file = environment_file(options.environment, options.project)
    values = with_adopted(
        file, edits_of((each.path, each.before, each.after) for each in adopted), local_project(options)
    )
    if not values.new_errors:
        values.write()
    return Adoption(values, tuple(each.key for each in adopted))


def _print(options: argparse.Namespace, found: EnvironmentDrift, where: str, adoption: Adoption | None) -> None:
    from neuron_cluster.cli.drift_text import drift_text
    from neuron_cluster.cli.terminal import is_coloured, print_findings_sarif, print_json, width
    from neuron_cluster.drift.document import drift_as_data
    from neuron_cluster.drift.findings import drift_findings

    if options.format == "json":
        if adoption is None:
            print_json(drift_as_data(found))
        else:
            print_json(drift_as_data(found, adoption.written, adoption.files.new_errors))
    elif options.format == "sarif":
        print_findings_sarif(list(drift_findings(found)))
    else:
        print(drift_text(found, where, width(), colour=is_coloured(sys.stdout)), flush=True)
        _print_adoption(options, adoption)


def _print_adoption(options: argparse.Namespace, adoption: Adoption | None) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph
    from neuron_cluster.findings.text import listed

    if adoption is None:
        return
    print_findings(adoption.files.new_errors, sys.stdout)
    files = listed(file.file.display_name for file in adoption.files.edited)
    if adoption.files.new_errors:
        sentence = f"{files} was not changed: the edits would cause the errors above."
    elif not adoption.keys:
        sentence = "Nothing was written: no difference comes from a key of the file."
    else:
        also = listed(other.display_name for other in adoption.files.also_changes)
        sentence = f"Written into {files}: {listed(adoption.keys)}."
        sentence += f" The edits change {also} too." if also else ""
        sentence += (
            f" Next: `neuron-cluster diff {options.environment}`, then deploy, after which the template is equal."
        )
    print_paragraph(sentence, sys.stdout)
