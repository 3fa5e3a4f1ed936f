"""``neuron-cluster report``: the plan of an environment as one HTML page."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_local_lock, add_verb, as_of
from neuron_cluster.cli.output_file import STANDARD_OUTPUT, add_output, require_free, write_output

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_cluster.report.environment_page import PageParts
    from neuron_cluster.report.status_page import PageStatus

EXAMPLES = """  neuron-cluster report train-trn1 --output plan.html
  neuron-cluster report train-trn1 --output - | gzip > plan.html.gz
  neuron-cluster report train-trn1 --output plan.html --force
  neuron-cluster report train-trn1 --output plan.html --as-of 2027-01-01
  neuron-cluster report train-trn1 --output now.html --status"""

TEXT = """Write the plan of an environment as one HTML file: a picture of the Region with
zones, subnets, groups, storage, teams and flows; tables of groups, machines,
storage, network and software; the findings of `validate`, the costs of `cost`,
the roles of `access`, and what `destroy` keeps. Runs offline, except with
--status. The file has no script and loads nothing, so it can be mailed or put
beside the code.

With --status the page has what `status` reports: it reads AWS, or with --local
the running local AWS, and changes nothing. Without it the page has no status.

Without --status the page depends on the environment file, its lock, the toolkit
and --as-of alone: the same input has the same page. FILE must not exist, unless
--force is set. An environment with an error has no plan: its findings are
printed."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "report", run, summary="write the plan as an HTML page with a picture", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    add_output(parser, required=True, help_text="the HTML file to write; - for standard output")
    add_as_of(parser)
    help_text = "read the state of the deployed environment from AWS, as `status` does, and put it on the page"
    parser.add_argument("--status", action="store_true", help=help_text)


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.cli.terminal import print_findings, print_json, print_line
    from neuron_cluster.pages.html_page import html_of
    from neuron_cluster.report.environment_page import environment_document

    require_free(options)
    parts = _parts(options)
    write_output(options, html_of(environment_document(parts)))
    if options.format == "json":
        findings = [finding.as_dict() for finding in parts.findings]
        verdict = {"status": parts.status.verdict.value} if parts.status is not None else {}
        print_json({"environment": parts.plan.name, "file": options.output, **verdict, "findings": findings})
        return 0
    if options.output != STANDARD_OUTPUT:
        print_line(f"{options.output}: the plan of {parts.plan.name}")
    print_findings(parts.findings)
    return 0


def _digest(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def _parts(options: argparse.Namespace) -> PageParts:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.access_records import access_matrix_of, kubernetes_access_of
    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.cost.environment_cost import environment_cost
    from neuron_cluster.deploy.retained_logs import planned_log_groups
    from neuron_cluster.pipeline import check_loaded
    from neuron_cluster.report.environment_page import PageParts

    catalog, on = load_catalog(), as_of(options)
    opened = open_environment(options)
    checked = check_loaded(opened.checked.loaded, catalog, locks=opened.locks, as_of=on)
    plan = checked.require_plan()
    return PageParts(
        plan=plan,
        catalog=catalog,
        findings=checked.findings,
        written=checked.require_resolved().provenances,
        cost=environment_cost(plan, catalog, on),
        matrix=access_matrix_of(opened),
        kubernetes=tuple(kubernetes_access_of(plan)),
        log_groups=planned_log_groups(plan),
        file=opened.file.display_name,
        digest=_digest(opened.file.path),
        bases=tuple((each.display_name, _digest(each.path)) for each in checked.loaded.bases),
        status=_status(options) if options.status else None,
    )


def _status(options: argparse.Namespace) -> PageStatus:
    from neuron_cluster.cli.open_environment import check_environment_file
    from neuron_cluster.cli.status_reading import status_destination, status_of_command
    from neuron_cluster.report.status_page import PageStatus

    checked = check_environment_file(options)
    with status_destination(options, checked) as destination:
        found = status_of_command(options, checked, destination, may_run_commands=False)
        return PageStatus(
            at=found.at,
            verdict=found.verdict,
            where=destination.description,
            sections=found.sections,
            not_looked_at=found.not_looked_at,
        )
