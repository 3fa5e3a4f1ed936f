"""``neuron-cluster upgrade``: the way to another Neuron SDK release."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.upgrade.upgrade import Upgrade

EXAMPLES = """  neuron-cluster upgrade train-trn1 --to 2.33.0
  neuron-cluster upgrade train-trn1 --to 2.33.0 --write    edit the file too
  neuron-cluster upgrade train-trn1 --to 2.33.0 --format json | jq .breaks

see also:
  neuron-cluster diff train-trn1 --against old.yaml        the effect on nodes
  neuron-cluster catalog sdk                               the known releases"""

TEXT = """Show what changes between the Neuron SDK release of an environment and another
one: versions of each component; breaking changes (images that are no longer
built, chip generations and Python versions that are no longer supported);
whether hosts or workloads are upgraded first; which node groups are replaced.
Runs offline, from the catalog. --write edits only values in the file and keeps
comments and order. It writes nothing if the edit would add errors."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "upgrade", run, summary="plan the upgrade to another Neuron SDK release", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--to", metavar="SDK", required=True, help="the target Neuron SDK release, such as 2.33.0")
    parser.add_argument("--write", action="store_true", help="edit the environment file")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.project import environment_file
    from neuron_cluster.upgrade.file_upgrade import upgrade_file

    file = environment_file(options.environment, options.project)
    found = upgrade_file(file, options.to, load_catalog())
    is_written = options.write and found.can_be_written
    if is_written:
        found.write()
    if options.format == "json":
        _show_json(found.upgrade, found.new_errors, is_written=is_written)
    else:
        _show(found.upgrade, found.new_errors, file.display_name, may_write=options.write)
    return int(bool(found.new_errors))


def _show_json(upgrade: Upgrade, new: Sequence[Finding], *, is_written: bool) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.upgrade_page import upgrade_as_data

    data = upgrade_as_data(upgrade)
    print_json({**data, "is_written": is_written, "findings": [finding.as_dict() for finding in new]})


def _show(upgrade: Upgrade, new: Sequence[Finding], display_name: str, *, may_write: bool) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.report.upgrade_page import components_table, upgrade_page

    print(text_of(upgrade_page(upgrade), width()))
    print_tables([components_table(upgrade)])
    print_findings(new, sys.stdout)
    print_paragraph(_last_line(upgrade, new, display_name, may_write=may_write), sys.stdout)


def _last_line(upgrade: Upgrade, new: Sequence[Finding], display_name: str, *, may_write: bool) -> str:
    from neuron_cluster.lock.paths import as_argument

    if not upgrade.edits:
        return f"{display_name} already uses {upgrade.after}; nothing to write."
    if new:
        return f"{display_name} was not changed: the edits would cause the errors above."
    if not may_write:
        return f"Nothing was written; --write edits {display_name}."
    file = as_argument(display_name)
    commands = f"`neuron-cluster lock {file}`, then `neuron-cluster diff {file}`, then deploy"
    return f"{display_name} was edited. Next: {commands}."
