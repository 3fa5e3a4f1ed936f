"""The output of one release for an environment file: findings, and templates where none of them is an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.findings.finding import Finding, Location, has_error
from neuron_cluster.project import EnvironmentFile, Project
from neuron_cluster.toolkit_upgrade.release import Release
from neuron_cluster.toolkit_upgrade.release_run import Ran, run_together

ABOUT_THE_PIN = frozenset({"E1061", "W1060", "W1062"})
"""Findings about the release that runs, not about the environment."""
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""Exceptions of a reader where another release writes something else than this one."""


class EnvironmentOutcome(Struct, frozen=True):
    """``assembly`` is the folder with the templates; None where the release synthesizes none."""

    findings: tuple[Finding, ...]
    assembly: Path | None


def outcomes(
    project: Project, file: EnvironmentFile, releases: Sequence[Release], folder: Path
) -> list[EnvironmentOutcome]:
    """Returns the outcome of each release. ``folder`` gets the templates if none has an error."""
    checked = _run(project, file, releases, [["validate"] for _ in releases], folder)
    if any(has_error(found) for _, found in checked):
        return [EnvironmentOutcome(tuple(found), None) for _, found in checked]
    assemblies = [folder / str(position) for position in range(len(releases))]
    made = _run(project, file, releases, [["synth", "--output", str(assembly)] for assembly in assemblies], folder)
    return [
        _outcome(file, release, assembly, of_file, of_synthesis, has_ended_well=status == 0)
        for release, assembly, (_, of_file), (status, of_synthesis) in zip(
            releases, assemblies, checked, made, strict=True
        )
    ]


def _outcome(
    file: EnvironmentFile,
    release: Release,
    assembly: Path,
    of_file: Sequence[Finding],
    of_synthesis: Sequence[Finding],
    *,
    has_ended_well: bool,
) -> EnvironmentOutcome:
    """With an error where the release names none and has written no templates all the same."""
    findings = tuple(dict.fromkeys([*of_file, *of_synthesis]))
    if has_ended_well and _is_readable(assembly):
        return EnvironmentOutcome(findings, assembly)
    if not has_error(of_synthesis):
        findings = (*findings, _failed(file, f"synth of release {release.version} has written no templates"))
    return EnvironmentOutcome(findings, None)


def _is_readable(assembly: Path) -> bool:
    """Whether the folder has templates with resources."""
    try:
        templates = [stack.template for stack in read_assembly(assembly)]
        return all("Type" in resource for template in templates for resource in template["Resources"].values())
    except UNREADABLE:
        return False


def _run(
    project: Project, file: EnvironmentFile, releases: Sequence[Release], verbs: Sequence[Sequence[str]], logs: Path
) -> list[tuple[int, list[Finding]]]:
    """Exit status and findings of a verb of each release, all at the same time."""
    given = (str(file.path), "--project", str(project.root), "--format", "json")
    commands = [release.command(*verb, *given) for release, verb in zip(releases, verbs, strict=True)]
    ran = run_together(commands, cwd=project.root, logs=logs)
    return [
        (each.status, list(_findings(file, f"{verb[0]} of release {release.version}", each)))
        for release, verb, each in zip(releases, verbs, ran, strict=True)
    ]


def _findings(file: EnvironmentFile, command: str, ran: Ran) -> Iterator[Finding]:
    document = ran.document
    if document is None:
        yield _failed(file, f"{command} ended with status {ran.status}: {ran.last_line}")
        return
    try:
        yield from [_finding(row) for row in document.get("findings", ()) if row["id"] not in ABOUT_THE_PIN]
    except UNREADABLE:
        yield _failed(file, f"{command} wrote findings in another form")


def _failed(file: EnvironmentFile, message: str) -> Finding:
    return Finding("E9500", Location(file.display_name), message, "run that release alone, with the same environment")


def _finding(row: Mapping[str, Any]) -> Finding:
    place = Location(
        str(row["file"] or ""), int(row["line"] or 0), int(row["column"] or 0), str(row["path"] or ""),
        str(row.get("extended_by", "")),
    )  # fmt: skip
    return Finding(str(row["id"]), place, str(row["message"]), str(row["hint"]))
