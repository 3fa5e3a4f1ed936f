"""``neuron-cluster upgrade-toolkit``: what another release of the toolkit would change in a repository."""

from __future__ import annotations

import argparse
import functools
import sys
from typing import TYPE_CHECKING, Any

from neuron_cluster.cli.arguments import Verbs, add_verb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_cluster.project import Project
    from neuron_cluster.report.text_page import Pairs
    from neuron_cluster.table import Table
    from neuron_cluster.toolkit_upgrade.compared_releases import ComparedReleases
    from neuron_cluster.toolkit_upgrade.environment_upgrade import EnvironmentUpgrade
    from neuron_cluster.toolkit_upgrade.toolkit_upgrade import ToolkitUpgrade
    from neuron_cluster.toolkit_upgrade.wheel_file import WheelFile

EXAMPLES = """  neuron-cluster upgrade-toolkit \\
    --wheel dist/neuron_cluster_toolkit-0.2.0-py3-none-any.whl
  neuron-cluster upgrade-toolkit --find-links dist         to the newest release
  neuron-cluster upgrade-toolkit --to 0.2.0 \\
    --index-url https://pypi.example.com/simple
  neuron-cluster upgrade-toolkit --find-links dist --write            take it
  neuron-cluster upgrade-toolkit --find-links dist --yes --exit-code  in CI"""

TEXT = """Show what another release of the toolkit would change in each environment of
this repository, before it is taken: findings that appear and disappear, changes
of templates as `diff` shows them, files that `init` writes in another way. The
release that requirements.txt requires and the other one check and synthesize
each environment, offline; nothing is deployed, and no account is queried.
--write takes the release: it changes requirements.txt, and replaces the files
of `init` that were not edited.

Without --to and --wheel the other release is the running one, where the
repository requires an older one, else the newest that pip finds in a folder
(--find-links) or in an index of your own (--index-url, pip.conf, PIP_INDEX_URL).
The toolkit is not on PyPI: it is not taken from a public index, and with a
folder from no index. Its dependencies come from the index of pip.

Before a wheel is installed and runs for the first time, its name and SHA-256 are
shown, and you are prompted. --yes runs it without a prompt where it is of a file
or folder that you name, or its digest is in requirements.txt, and else not: an
index can be changed by others. It runs without variables that have credentials or
tokens, but may read your files. The virtual environment with its digest in the
name is in ~/.cache/neuron-cluster-toolkit (XDG_CACHE_HOME names another folder;
1.2 GB), where it stays for the next run.

Exit status 1 if an environment has errors with the other release, or a deploy
would stop because data or the cluster would be replaced; --write then prompts,
and 0 if that is confirmed. With --exit-code, 3 if something changes and 0 if
not."""


def add_to(verbs: Verbs) -> None:
    parser = add_verb(
        verbs, "upgrade-toolkit", run, summary="show what another release of the toolkit would change", text=TEXT,
        examples=EXAMPLES,
    )  # fmt: skip
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--to", metavar="VERSION", type=_version, help="the other release, such as 0.2.0")
    other.add_argument("--wheel", metavar="FILE", help="the wheel of the other release")
    parser.add_argument(
        "--index-url", metavar="URL", help="package index of your own for pip, with the toolkit and its dependencies"
    )
    parser.add_argument("--find-links", metavar="DIR", help="folder or page with wheels; it alone has the toolkit")
    parser.add_argument("--no-index", action="store_true", help="no package index, only --find-links and --wheel")
    parser.add_argument("--write", action="store_true", help="take the release: edit requirements.txt")
    parser.add_argument("--yes", action="store_true", help="do not prompt before a release runs or is taken")
    parser.add_argument("--exit-code", action="store_true", help="exit status 3 if something changes")
    parser.add_argument(
        "-v", "--resources", action="store_true", help="list every resource that changes, with the reason"
    )


def _version(text: str) -> str:
    from packaging.version import InvalidVersion, Version

    try:
        return str(Version(text))
    except InvalidVersion as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a version: expected numbers such as 0.2.0") from error


def run(options: argparse.Namespace) -> int:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.diff import SOMETHING_CHANGES
    from neuron_cluster.cli.terminal import print_json
    from neuron_cluster.project import require_project
    from neuron_cluster.toolkit_upgrade.taken_release import changed_pin
    from neuron_cluster.toolkit_upgrade.toolkit_upgrade import toolkit_upgrade

    report = functools.partial(print, file=sys.stderr, flush=True)
    project = require_project(options.project)
    project.require_environment_files()
    releases = _releases(options, project, report)
    if options.write:
        changed_pin(project.root, releases.after, load_catalog())  # raises before the synthesis, which takes minutes
    found = toolkit_upgrade(project, releases, report)
    if options.format == "text":
        _show(found, resources=options.resources)
    written = _write(project, found, may_ask=not options.yes) if options.write else []
    if options.format == "json":
        print_json({**_as_data(found), "is_written": bool(written), "written": written})
    else:
        _show_written(found, written, may_write=options.write)
    if found.is_blocked and not written:
        return 1
    return SOMETHING_CHANGES if options.exit_code and found.changes_something else 0


def _releases(options: argparse.Namespace, project: Project, report: Callable[[str], None]) -> ComparedReleases:
    from pathlib import Path

    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.toolkit_upgrade.compared_releases import compared_releases
    from neuron_cluster.toolkit_upgrade.package_source import PackageSource
    from neuron_cluster.toolkit_upgrade.release_install import Installation
    from neuron_cluster.toolkit_upgrade.wheel_file import read_wheel

    source = PackageSource(options.index_url, options.find_links, has_index=not options.no_index)
    wheel = read_wheel(Path(options.wheel), f"--wheel {options.wheel}") if options.wheel is not None else None
    ask = functools.partial(_confirm_release, may_ask=not options.yes)
    return compared_releases(project, options.to, wheel, Installation(source, ask, report), load_catalog())


def _confirm_release(wheel: WheelFile, *, may_ask: bool) -> None:
    """Shows what would run on this machine for the first time.

    Raises ``NotConfirmedError``, and ``ToolkitError`` without a prompt for a wheel of an index.
    """
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.cli.terminal import print_line
    from neuron_cluster.errors import ToolkitError

    print_line(f"{wheel.name}\nSHA-256 {wheel.sha256}", sys.stderr)
    if wheel.is_of_index and not may_ask:
        raise ToolkitError(
            f"--yes does not run {wheel.name} of a package index: requirements.txt does not pin its digest",
            hint="compare the SHA-256 with the one of who built it; then `pip download --no-deps` into a folder, and "
            "--wheel FILE or --find-links DIR, or run the command in a terminal without --yes",
        )
    if may_ask:
        confirm(f"Install release {wheel.version} and run its code?", wheel.version)


def _write(project: Project, found: ToolkitUpgrade, *, may_ask: bool) -> list[str]:
    """Names of the files that were written. Raises ``NotConfirmedError`` where a deploy would stop."""
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.cli.confirmation import confirm
    from neuron_cluster.findings.text import listed
    from neuron_cluster.toolkit_upgrade.taken_release import take_release

    release = found.releases.after
    blocked = [each.name for each in found.environments if each.is_blocked]
    if blocked and may_ask:
        confirm(f"With release {release.version} deploys of {listed(blocked)} stop. Take it?", release.version)
    return take_release(project.root, release, found.repository.files, load_catalog())


def _show_written(found: ToolkitUpgrade, written: Sequence[str], *, may_write: bool) -> None:
    from neuron_cluster.cli.terminal import print_paragraph
    from neuron_cluster.findings.text import listed

    if written:
        print_paragraph(f"Written: {listed(written)}.", sys.stdout)
        print_paragraph(
            "Next: `pip install -r requirements.txt`, then `neuron-cluster setup` and `git diff`.", sys.stdout
        )
    elif may_write:
        print_paragraph("Nothing to write.", sys.stdout)
    elif not found.releases.is_same:
        print_paragraph("Nothing was written; --write takes the release.", sys.stdout)


def _as_data(found: ToolkitUpgrade) -> dict[str, Any]:
    return {
        "before": found.releases.before.version,
        "after": found.releases.after.version,
        "environments": [_environment_as_data(each) for each in found.environments],
        "files": [{"file": each.path, "state": each.state.name.lower()} for each in found.repository.files],
        "files_not_compared": found.repository.failure or None,
        "findings": [finding.as_dict() for each in found.environments for finding in each.appeared],
    }


def _environment_as_data(found: EnvironmentUpgrade) -> dict[str, Any]:
    from neuron_cluster.report.plain_data import plain

    parts = ("nodes", "data", "access", "images", "teams", "stacks", "resources")
    templates = plain(found.templates) if found.templates is not None else None
    return {
        "environment": found.name,
        "file": found.file.display_name,
        "changes_something": found.changes_something,
        "is_blocked": found.is_blocked,
        "appeared": [finding.as_dict() for finding in found.appeared],
        "disappeared": [finding.as_dict() for finding in found.disappeared],
        "templates": {part: templates[part] for part in parts} if templates is not None else None,
        "change_findings": [each.as_dict() for each in found.templates.findings] if found.templates is not None else [],
    }


def _show(found: ToolkitUpgrade, *, resources: bool) -> None:
    from neuron_cluster.cli.terminal import print_paragraph, print_tables, width
    from neuron_cluster.report.text_page import TextPage, text_of

    if found.releases.is_same:
        print_paragraph(f"The repository requires {found.releases.after.version}, the newest release.", sys.stdout)
        return
    for each in found.environments:
        if each.changes_something or each.is_blocked:
            _show_environment(each, resources=resources)
    if found.repository.files:
        files = tuple((each.path, each.state.value) for each in found.repository.files)
        print(text_of(TextPage("Files of `neuron-cluster init`", "", lists=(("", files),)), width()))
    if found.repository.failure:
        print_paragraph(f"Files of `neuron-cluster init` are not compared: {found.repository.failure}.", sys.stdout)
    print_tables([_table(found.releases, found.environments)])


def _show_environment(found: EnvironmentUpgrade, *, resources: bool) -> None:
    from neuron_cluster.cli.terminal import print_findings, width
    from neuron_cluster.report.text_page import TextPage, text_of

    page = TextPage(found.file.display_name, _lead(found), lists=tuple(_lists(found, resources=resources)))
    print(text_of(page, width()))
    known = set(found.appeared)
    print_findings([*found.appeared, *(each for each in found.errors if each not in known)], sys.stdout)
    if found.templates is not None:
        print_findings(found.templates.findings, sys.stdout)


def _lead(found: EnvironmentUpgrade) -> str:
    if found.errors:
        return "has errors with the other release, see below"
    if found.templates is None:
        return "has errors with the present release and none with the other one"
    if found.is_blocked:
        return "a deploy with the other release stops at the errors below"
    return "changes" if found.templates.changes_something else "has other findings; a deploy changes no resource"


def _lists(found: EnvironmentUpgrade, *, resources: bool) -> Iterator[tuple[str, Pairs]]:
    from neuron_cluster.report.diff_page import (
        access_lines,
        data_lines,
        image_lines,
        node_lines,
        resource_lines,
        team_lines,
    )

    gone = tuple((each.id, each.message) for each in found.disappeared)
    yield "Findings that disappear", gone
    if found.templates is None or not found.templates.changes_something:
        return
    yield "Nodes", node_lines(found.templates)
    yield "Data", data_lines(found.templates)
    yield "Access", access_lines(found.templates)
    yield "Teams, queues and namespaces", team_lines(found.templates)
    yield "Charts, container images, pods with host access", image_lines(found.templates)
    if resources:
        yield "Changed resources", resource_lines(found.templates)


def _table(releases: ComparedReleases, found: Sequence[EnvironmentUpgrade]) -> Table:
    from neuron_cluster.table import Table

    columns = ("environment", "findings", "added", "updated", "replaced", "removed", "deploy")
    return Table(f"Toolkit {releases.before.version} -> {releases.after.version}", columns, tuple(map(_row, found)))


def _row(found: EnvironmentUpgrade) -> tuple[str, ...]:
    findings = f"+{len(found.appeared)} -{len(found.disappeared)}" if found.appeared or found.disappeared else "same"
    state = "stops" if found.is_blocked else ("changes" if found.changes_something else "no change")
    if found.templates is None:
        return found.name, findings, "-", "-", "-", "-", state
    stacks = found.templates.stacks
    counts = (sum(getattr(each, kind) for each in stacks) for kind in ("added", "updated", "replaced", "removed"))
    return found.name, findings, *map(str, counts), state
