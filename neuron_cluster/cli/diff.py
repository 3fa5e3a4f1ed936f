"""``neuron-cluster diff``: what an edit of an environment does."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_as_of, add_environment, add_verb, as_of_now

if TYPE_CHECKING:
    from contextlib import ExitStack

    from neuron_cluster.deploy.environment_diff import EnvironmentDiff
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.report.price import EnvironmentPrice
    from neuron_cluster.report.text_page import Pairs, TextPage
    from neuron_cluster.table import Table

EXAMPLES = """  neuron-cluster diff train-trn1 --local              with the running local AWS
  neuron-cluster diff train-trn1                      with the AWS account
  neuron-cluster diff train-trn1 --against old.yaml   with another file, offline
  neuron-cluster diff train-trn1 --against dev-inf2 --resources
  neuron-cluster diff train-trn1 --exit-code          exit status 3 for a change

with the last commit:
  git show HEAD:environments/train-trn1.yaml | \\
    neuron-cluster diff train-trn1 --against /dev/stdin"""

TEXT = """Show the effect of an edit on nodes, data, access and cost, without changing
anything: compares the templates of the file with the deployed templates, or
with those of another file. Of the resources that a deploy would change it
reads what was changed outside of CloudFormation, and what the deploy does to
that; it does not read the others: `drift` does. Exit status 1 if `deploy`
would stop: the edit replaces data, the cluster or a value that other stacks
import, or the account lacks a quota, role or reservation. With --exit-code, 3
if a deploy would change something and 0 if not."""

SOMETHING_CHANGES = 3
"""Exit status of ``--exit-code``; 1 stays an error."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs,
        "diff",
        run,
        summary="show the effect of an edit before a deploy",
        text=TEXT,
        examples=EXAMPLES,
        has_sarif=True,
    )
    add_environment(parser)
    parser.add_argument("--against", metavar="FILE", help="compare with this file or environment, offline")
    help_text = "compare with the running local AWS; with --against read the locks of the local AWS"
    parser.add_argument("--local", action="store_true", help=help_text)
    add_as_of(parser)
    parser.add_argument("--exit-code", action="store_true", help="exit status 3 if a deploy would change something")
    parser.add_argument(
        "-v", "--resources", action="store_true", help="list every resource that changes, with the reason"
    )


def run(options: argparse.Namespace) -> int:
    from contextlib import ExitStack

    from neuron_cluster.cli.open_environment import open_environment
    from neuron_cluster.findings.finding import has_error

    opened = open_environment(options, as_of=as_of_now(options))
    opened.require_images()
    print("Synthesizing templates and comparing them …", file=sys.stderr, flush=True)
    with ExitStack() as validations:
        diff = _diff(options, opened, validations)
        if options.format != "text":
            validations.close()  # a document is printed only when no violation follows it
        _print(options, diff)
    if has_error(diff.templates.findings):
        return 1
    return SOMETHING_CHANGES if options.exit_code and diff.templates.changes_something else 0


def _diff(options: argparse.Namespace, opened: OpenedEnvironment, validations: ExitStack) -> EnvironmentDiff:
    from neuron_cluster.deploy.environment_diff import diff_with_aws, diff_with_file, diff_with_local_aws

    if options.against is not None:
        return diff_with_file(opened, options.against, options.project, validations)
    return diff_with_local_aws(opened, validations) if options.local else diff_with_aws(opened, validations)


def _print(options: argparse.Namespace, diff: EnvironmentDiff) -> None:
    from neuron_cluster.cli.terminal import print_findings_sarif, print_json

    if options.format == "json":
        print_json(_as_data(diff))
    elif options.format == "sarif":
        print_findings_sarif(_findings(diff))
    else:
        _show(diff, resources=options.resources)
        sys.stdout.flush()


def _as_data(diff: EnvironmentDiff) -> dict[str, Any]:
    from neuron_cluster.drift.document import drift_part_as_data
    from neuron_cluster.report.plain_data import plain

    before, after = _prices(diff)
    found = plain(diff.templates)
    return {
        "environment": diff.opened.plan.name,
        "compared_with": diff.before,
        "is_different": not diff.is_none,
        "edits": plain(diff.edits),
        **{part: found[part] for part in ("nodes", "data", "access", "images", "teams", "stacks", "resources")},
        "cost": {
            "before": plain(before) if before is not None else None,
            "after": plain(after),
        },
        "drift": drift_part_as_data(diff.drift) if diff.drift is not None else None,
        "findings": [finding.as_dict() for finding in _findings(diff)],
    }


def _findings(diff: EnvironmentDiff) -> list[Finding]:
    from neuron_cluster.deploy.changed_drift import findings_of_drift

    of_drift = findings_of_drift(diff.drift, diff.opened) if diff.drift is not None else ()
    return [*diff.opened.findings, *diff.templates.findings, *of_drift]


def _show(diff: EnvironmentDiff, *, resources: bool) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.folded_warnings import folded_warnings
    from neuron_cluster.report.text_page import TextPage, text_of

    name, warnings = diff.opened.plan.name, diff.opened.findings
    shown, others = folded_warnings(warnings)
    print_findings(shown)
    if others:
        print(others, file=sys.stderr, flush=True)
    if diff.is_none:
        print_paragraph(f"{name}: no difference from {diff.before}{_not_read(diff)}.", sys.stdout)
        print_findings(diff.templates.findings, sys.stdout)
        return
    compared_with = f"compared with {diff.before}{_not_read(diff)}{_outcome(diff)}"
    print(text_of(TextPage(name, compared_with, lists=_lists(diff)), width()))
    if not diff.templates.is_none:
        print_tables(_tables(diff))
    if resources and diff.templates.resources:
        print(text_of(_resources_page(diff), width()))
    print_findings(diff.templates.findings, sys.stdout)


def _not_read(diff: EnvironmentDiff) -> str:
    """Which resources were read for changes made outside of CloudFormation: templates do not have them."""
    from neuron_cluster.drift.findings import part_text
    from neuron_cluster.findings.commands import Command, of_file
    from neuron_cluster.lock.paths import as_argument

    if diff.plan_before is not None:
        return ""
    command = of_file(as_argument(diff.opened.file.display_name), is_local=diff.opened.is_local)[Command.DRIFT]
    if diff.drift is None:
        return f"; no resource was read for changes made outside of CloudFormation: `{command}` reads them"
    return f"; changes outside of CloudFormation: {part_text(diff.drift)} (`{command}` reads all)"


def _outcome(diff: EnvironmentDiff) -> str:
    """Whether a deploy would stop; a file with another name is another environment."""
    from neuron_cluster.findings.finding import has_error

    blocked = has_error(diff.templates.findings)
    old = diff.plan_before
    if old is not None and old.name != diff.opened.plan.name:
        text = f", another environment: a deploy does not change {old.name}"
        return f"{text}. As an edit of that environment it is blocked, see the errors below" if blocked else text
    return "; a deploy stops at the errors below" if blocked else ""


def _lists(diff: EnvironmentDiff) -> tuple[tuple[str, Pairs], ...]:
    from neuron_cluster.drift.diff_lines import drift_lines
    from neuron_cluster.report.diff_page import (
        access_lines,
        data_lines,
        edit_lines,
        image_lines,
        node_lines,
        team_lines,
    )

    found = diff.templates
    edits = ("Edited keys, and their row in the change table", edit_lines(diff.edits))
    if found.is_none:
        return edits, ("Templates", (("all", "equal: a deploy changes no resource"),))
    return (
        edits,
        ("Nodes", node_lines(found)),
        ("Data", data_lines(found)),
        ("Compile cache", _cache_lines(diff)),
        ("Access", access_lines(found)),
        ("Teams, queues and namespaces", team_lines(found)),
        ("Charts, container images, pods with host access", image_lines(found)),
        ("Changed outside of CloudFormation", drift_lines(diff.drift) if diff.drift is not None else ()),
    )


def _cache_lines(diff: EnvironmentDiff) -> Pairs:
    """Compared with a file of the same environment; `cache status` looks at what is deployed."""
    from neuron_cluster.compile_cache.fillers import cache_fillers
    from neuron_cluster.protocol.registry import schedulers_of
    from neuron_cluster.report.compile_cache_page import cache_lines

    old, new = diff.plan_before, diff.opened.plan
    if old is None or old.storage is None or new.storage is None or old.name != new.name:
        return ()
    fillers = cache_fillers(schedulers_of(new))
    return cache_lines(old.storage.compile_cache, new.storage.compile_cache, new.name, fillers)


def _tables(diff: EnvironmentDiff) -> list[Table]:
    from neuron_cluster.report.diff_page import stacks_table
    from neuron_cluster.report.diff_price import price_table

    return [price_table(*_prices(diff)), stacks_table(diff.templates)]


def _prices(diff: EnvironmentDiff) -> tuple[EnvironmentPrice | None, EnvironmentPrice]:
    """Before and after; what is deployed has the prices of its templates."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.report.deployed_price import deployed_price
    from neuron_cluster.report.price import price_of

    catalog, plan = load_catalog(), diff.opened.plan
    after = price_of(plan, catalog)
    if diff.plan_before is not None:
        return price_of(diff.plan_before, catalog), after
    return deployed_price(diff.templates.machines_before, plan.region, catalog), after


def _resources_page(diff: EnvironmentDiff) -> TextPage:
    from neuron_cluster.report.diff_page import resource_lines
    from neuron_cluster.report.text_page import TextPage

    return TextPage("Changed resources", "", lists=(("", resource_lines(diff.templates)),))
