"""``neuron-cluster upgrade``: the way to another Neuron SDK release."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_local_lock, add_verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.compile_cache.fillers import CacheFiller
    from neuron_cluster.protocol.upgrade_step import UpgradeStep
    from neuron_cluster.upgrade.file_upgrade import FileUpgrade

EXAMPLES = """  neuron-cluster upgrade train-trn1 --to 2.33.0
  neuron-cluster upgrade train-trn1 --to 2.33.0 --write    edit the file too
  neuron-cluster upgrade train-trn1 --to 2.33.0 --format json | jq .breaks

see also:
  neuron-cluster diff train-trn1 --against old.yaml        the effect on nodes
  neuron-cluster catalog sdk                               the known releases"""

TEXT = """Show what changes between the Neuron SDK release of an environment and another
one: versions of each component; breaking changes (images that are no longer
built, chip generations and Python versions that are no longer supported);
whether hosts or workloads are upgraded first; which node groups are replaced;
what is left to you, such as an AMI that is built again. Runs offline, from the
catalog. --write edits only values in the file and keeps comments and order; a
value of a base is edited in the base. It writes nothing if the edit would add
errors, also to another environment of the base."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "upgrade", run, summary="plan the upgrade to another Neuron SDK release", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    add_local_lock(parser)
    parser.add_argument("--to", metavar="SDK", required=True, help="the target Neuron SDK release, such as 2.33.0")
    parser.add_argument("--write", action="store_true", help="edit the environment file")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.open_environment import local_project
    from neuron_cluster.project import environment_file
    from neuron_cluster.upgrade.file_upgrade import upgrade_file

    file = environment_file(options.environment, options.project)
    catalog = load_catalog()
    found = upgrade_file(file, options.to, catalog, local_project(options))
    steps = _steps(found, catalog)
    is_written = options.write and found.can_be_written
    if is_written:
        found.write()
    if options.format == "json":
        _show_json(found, steps, is_written=is_written)
    else:
        _show(found, steps, may_write=options.write)
    return int(bool(found.new_errors))


def _steps(found: FileUpgrade, catalog: Catalog) -> list[UpgradeStep]:
    """Returns the steps that providers leave to the user, with commands that can be run as they are."""
    from msgspec.structs import replace

    from neuron_cluster.findings.commands import render
    from neuron_cluster.protocol.registry import registered

    after = catalog.neuron_sdks.get(found.upgrade.after)
    steps = (
        step
        for each in registered()
        if after is not None
        for step in each.upgrade_steps(found.environment, after, catalog, found.lock)
    )
    return [replace(each, then=render(each.then, found.commands)) for each in steps]


def _show_json(found: FileUpgrade, steps: list[UpgradeStep], *, is_written: bool) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.upgrade_page import upgrade_as_data

    data = upgrade_as_data(found.upgrade, steps)
    files = [each.file.display_name for each in found.edited]
    others = [each.display_name for each in found.also_changes]
    findings = [finding.as_dict() for finding in found.new_errors]
    print_json({**data, "files": files, "also_changes": others, "is_written": is_written, "findings": findings})


def _show(found: FileUpgrade, steps: list[UpgradeStep], *, may_write: bool) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.report.upgrade_page import components_table, upgrade_page

    upgrade = found.upgrade
    if not (upgrade.is_different or upgrade.breaks or steps):
        print_paragraph(f"{upgrade.environment}: already at Neuron SDK {upgrade.after}; nothing changes.", sys.stdout)
        return
    print(text_of(upgrade_page(upgrade, steps, _cache_fillers(found)), width()))
    if not upgrade.is_different:
        return
    if upgrade.direction != "same":
        print_tables([components_table(upgrade)])
    print_findings(found.new_errors, sys.stdout)
    for line in (*_base_lines(found), _last_line(found, steps, may_write=may_write)):
        print_paragraph(line, sys.stdout)


def _cache_fillers(found: FileUpgrade) -> Sequence[CacheFiller]:
    from neuron_cluster.compile_cache.fillers import cache_fillers
    from neuron_cluster.protocol.registry import schedulers_in

    return cache_fillers(schedulers_in(found.environment.config))


def _base_lines(found: FileUpgrade) -> Iterator[str]:
    """The bases that are edited, and whom that concerns."""
    from neuron_cluster.config.source_map import format_path
    from neuron_cluster.findings.text import listed

    for each in found.edited:
        if each.file.display_name != found.file.display_name:
            keys = listed(format_path(edit.path) for edit in each.edits)
            yield f"Written in the base {each.file.display_name}: {keys}."
    if found.also_changes:
        yield f"The edits change {listed(other.display_name for other in found.also_changes)} too."


def _last_line(found: FileUpgrade, steps: list[UpgradeStep], *, may_write: bool) -> str:
    from neuron_cluster.findings.commands import Command
    from neuron_cluster.findings.text import listed

    files = listed(each.file.display_name for each in found.edited)
    verb = "was" if len(found.edited) == 1 else "were"
    if found.new_errors:
        return f"{files} {verb} not changed: the edits would cause the errors above."
    if not may_write:
        return f"Nothing was written; --write edits {files}."
    further = (command for step in steps for command in step.before_deploy)
    then = (found.commands[command] for command in (Command.LOCK, *further, Command.DIFF))
    return f"{files} {verb} edited. Next: {', then '.join(f'`{each}`' for each in then)}, then deploy."
