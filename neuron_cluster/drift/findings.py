"""Differences as findings: of `drift` for code scanning services, and of a deploy before its prompt."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.shown_values import shown_pair
from neuron_cluster.drift.records import (
    DeployEffect,
    Drift,
    DriftKind,
    EnvironmentDrift,
    FileEditHint,
    Severity,
    Uncompared,
)
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.finding import Finding, Location

OVERWRITES = frozenset({DeployEffect.PUTS_BACK, DeployEffect.SETS, DeployEffect.REPLACES, DeployEffect.FAILS})
LEAVES = frozenset({DeployEffect.NOTHING, DeployEffect.UNKNOWN})


def drift_findings(found: EnvironmentDrift) -> Iterator[Finding]:
    """E9593 or W9594 for each difference, W9595 for each call that failed."""
    for drift in found.drifts:
        name = "E9593" if drift.severity is Severity.ERROR else "W9594"
        place = Location(drift.stack, path=f"{drift.logical_id or drift.physical_id}{drift.property}")
        yield Finding(name, place, f"{drift.type}: {difference_text(drift)}", _hint(drift))
    yield from unread_findings(found)


def unread_findings(found: EnvironmentDrift) -> Iterator[Finding]:
    """W9595 for each call that failed."""
    for part in found.uncompared:
        if not part.is_never_read:
            yield Finding(
                "W9595", Location(found.environment), not_read_text(part), "request the permission of the call"
            )


def deploy_finding(drift: Drift, location: Location) -> Finding | None:
    """W9597 for a difference that the deploy does not leave; W9598 for one that it leaves less protected, else None.

    The location is the key that decides the property, else the property itself.
    """
    effect, reason = drift.next_deploy.effect, drift.next_deploy.reason
    resource = f" {drift.stack}/{drift.logical_id}" if drift.edit is not None else ""
    what = f"{drift.type}{resource}: {difference_text(drift)}{by_text(drift)}"
    if effect in OVERWRITES:
        return Finding("W9597", location, f"{what}; the deploy {effect}: {reason}", _hint_of_deploy(drift))
    if drift.severity is Severity.ERROR and effect in LEAVES:
        return Finding("W9598", location, f"{what}; the deploy leaves it: {reason}", _hint_of_deploy(drift))
    return None


def by_text(drift: Drift) -> str:
    """The caller with a comma before it; empty where none is known."""
    by = drift.changed_by
    return "" if by is None else f", by {by.who} with {by.event} on {by.at:%Y-%m-%d %H:%M} UTC"


def _hint_of_deploy(drift: Drift) -> str:
    if drift.edit is not None:
        return f"to keep the actual value: `{Command.DRIFT} --adopt {drift.edit.key}`; `{Command.DRIFT}` lists all"
    if drift.next_deploy.effect is DeployEffect.FAILS:
        is_gone = drift.kind is DriftKind.DELETED
        step = "create it again with its service, with the same name," if is_gone else "undo it with its service"
        return f"{step} before the deploy"
    if drift.next_deploy.effect in LEAVES:
        return f"undo it with its service: no deploy of this file does; `{Command.DRIFT}` lists all differences"
    return f"change the file first if the actual value is to stay; `{Command.DRIFT}` lists all differences"


def difference_text(drift: Drift) -> str:
    """``template false, actual true``."""
    if drift.kind is DriftKind.DELETED:
        return f"{drift.physical_id} was deleted"
    if drift.kind is DriftKind.ADDED:
        return f"{drift.actual} is in no stack"
    if drift.template is None:
        return f"the template has none, actual {shown_pair('', drift.actual)[1]}"
    if drift.actual is None:
        return f"template {shown_pair(drift.template, '')[0]}, actual none"
    template, actual = shown_pair(drift.template, drift.actual)
    return f"template {template}, actual {actual}"


def part_text(found: EnvironmentDrift) -> str:
    """How many resources were compared, and how many were left out, of a part of an environment."""
    by = f"; who changed them is not known: {found.trail.reason}" if found.trail is not None else ""
    return f"{found.compared} of {found.resources} resources were compared, {found.left_out} were not read{by}"


def not_read_text(part: Uncompared) -> str:
    """The call, its reason and what is not known."""
    more = len(part.resources) - 3
    names = ", ".join(part.resources[:3]) + (f" and {more} more" if more > 0 else "")
    return f"{part.call}: {part.reason}; not read: {names}" if part.call else f"{part.reason}: {names}"


def _hint(drift: Drift) -> str:
    sentence = f"the next deploy: {drift.next_deploy.effect}, {drift.next_deploy.reason}"
    if drift.edit is None:
        return f"{sentence}; undo the change with the service, or change the file so that the template differs"
    return f"{sentence}; to keep the actual value: {edit_text(drift.edit)} in the file"


def edit_text(edit: FileEditHint) -> str:
    """``storage.lustre.capacity_gib: 2400``, with the value before; a key that is taken out is without a value."""
    if edit.after is None:
        return f"no {edit.key}"
    before = f", now {edit.before}" if isinstance(edit.before, str | int) else ""
    return f"{edit.key}: {edit.after}{before}"
