"""``neuron-cluster upgrade``: the way to another Neuron SDK release."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_cluster.cli.arguments import Verbs, add_environment, add_verb

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.project import EnvironmentFile
    from neuron_cluster.upgrade.upgrade import Upgrade

EXAMPLES = """  neuron-cluster upgrade train-trn1 --to 2.33.0            what would move and break
  neuron-cluster upgrade train-trn1 --to 2.33.0 --write    the same, and edit the file
  neuron-cluster upgrade train-trn1 --to 2.33.0 --format json | jq .breaks

then:
  neuron-cluster diff train-trn1 --against old.yaml        what the edit does to nodes
  neuron-cluster catalog sdk                               the releases that are known"""

TEXT = """Show what moves from the Neuron SDK release of an environment to another one:
part by part; what breaks (images that are no longer built, chips and Pythons
that are dropped); whether hosts or workloads go first; which node groups roll.
Offline, by the catalog. --write edits the values in the file and nothing else
of it: comments and order stay. It writes nothing when the edited file would
have errors that the present one does not have."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "upgrade", run, summary="show the way to another Neuron SDK release", text=TEXT, examples=EXAMPLES
    )
    add_environment(parser)
    parser.add_argument("--to", metavar="SDK", required=True, help="the Neuron SDK release to go to, such as 2.33.0")
    parser.add_argument("--write", action="store_true", help="edit the environment file")


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.atomic_write import write_whole
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.errors import InvalidEnvironment
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.project import environment_file
    from neuron_cluster.upgrade.file_edit import edited_text
    from neuron_cluster.upgrade.upgrade import plan_upgrade

    catalog = load_catalog()
    after = _asked_sdk(options.to, catalog)
    file = environment_file(options.environment, options.project)
    checked = check_environment(file.path, shown_as=file.shown_as, catalog=catalog)
    environment = checked.require_resolved()
    before = catalog.neuron_sdk(environment.config.neuron.sdk)
    if before is None:
        raise InvalidEnvironment(checked.findings)
    upgrade = plan_upgrade(environment, before, after, catalog, checked.lock)
    present = file.path.read_bytes()
    edited = edited_text(present.decode(), upgrade.edits).encode()
    new = _new_errors(file, edited, checked.findings)
    is_written = bool(options.write and upgrade.edits and not new)
    if is_written:
        write_whole(file.path, edited)
    if options.format == "json":
        _show_json(upgrade, new, is_written=is_written)
    else:
        _show(upgrade, new, file.shown_as, asked_to_write=options.write)
    return int(bool(new))


def _asked_sdk(name: str, catalog: Catalog) -> NeuronSdk:
    from neuron_cluster.errors import ToolkitError
    from neuron_cluster.findings.suggestions import did_you_mean

    found = catalog.neuron_sdk(name)
    if found is None:
        said = did_you_mean(catalog.near_neuron_sdks(name))
        hint = f"{said}`neuron-cluster catalog sdk` lists the known ones"
        raise ToolkitError(f"--to {name!r} is no Neuron SDK release that the catalog knows", hint=hint)
    return found


def _new_errors(file: EnvironmentFile, edited: bytes, present: Sequence[Finding]) -> list[Finding]:
    """Errors that the edited file would have and the present one does not."""
    import tempfile

    from neuron_cluster.findings.finding import Severity
    from neuron_cluster.lock.paths import locks_beside
    from neuron_cluster.pipeline import check_environment

    with tempfile.TemporaryDirectory() as folder:
        beside = Path(folder) / file.path.name
        beside.write_bytes(edited)
        checked = check_environment(beside, shown_as=file.shown_as, locks=locks_beside(file.path))
    known = {(each.id, each.location.path) for each in present}
    return [
        each
        for each in checked.findings
        if each.severity is Severity.ERROR and (each.id, each.location.path) not in known
    ]


def _show_json(upgrade: Upgrade, new: Sequence[Finding], *, is_written: bool) -> None:
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.report.upgrade_page import upgrade_as_data

    data = upgrade_as_data(upgrade)
    print_json({**data, "is_written": is_written, "findings": [finding.as_dict() for finding in new]})


def _show(upgrade: Upgrade, new: Sequence[Finding], shown_as: str, *, asked_to_write: bool) -> None:
    from neuron_cluster.cli.terminal import print_findings, print_paragraph, print_tables, width
    from neuron_cluster.report.text_page import text_of
    from neuron_cluster.report.upgrade_page import components_table, upgrade_page

    print(text_of(upgrade_page(upgrade), width()))
    print_tables([components_table(upgrade)])
    print_findings(new, sys.stdout)
    print_paragraph(_last_line(upgrade, new, shown_as, asked_to_write=asked_to_write), sys.stdout)


def _last_line(upgrade: Upgrade, new: Sequence[Finding], shown_as: str, *, asked_to_write: bool) -> str:
    from neuron_cluster.lock.paths import as_argument

    if not upgrade.edits:
        return f"{shown_as} is at {upgrade.after} already; nothing to write."
    if new:
        return f"{shown_as} stays as it is: with the edits it would have the errors above."
    if not asked_to_write:
        return f"Nothing was written; --write makes the edits in {shown_as}."
    file = as_argument(shown_as)
    return f"{shown_as} is edited. Next: `neuron-cluster lock {file}`, then `neuron-cluster diff {file}`, then deploy."
