"""Differences as findings, for code scanning services."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.shown_values import shown_pair
from neuron_cluster.drift.records import Drift, DriftKind, EnvironmentDrift, Severity, Uncompared
from neuron_cluster.findings.finding import Finding, Location


def drift_findings(found: EnvironmentDrift) -> Iterator[Finding]:
    """E9593 or W9594 for each difference, W9595 for each call that failed."""
    for drift in found.drifts:
        name = "E9593" if drift.severity is Severity.ERROR else "W9594"
        place = Location(drift.stack, path=f"{drift.logical_id or drift.physical_id}{drift.property}")
        yield Finding(name, place, f"{drift.type}: {difference_text(drift)}", _hint(drift))
    for part in found.uncompared:
        if not part.is_never_read:
            yield Finding(
                "W9595", Location(found.environment), not_read_text(part), "request the permission of the call"
            )


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


def not_read_text(part: Uncompared) -> str:
    """The call, its reason and what is not known."""
    more = len(part.resources) - 3
    names = ", ".join(part.resources[:3]) + (f" and {more} more" if more > 0 else "")
    return f"{part.call}: {part.reason}; not read: {names}" if part.call else f"{part.reason}: {names}"


def _hint(drift: Drift) -> str:
    sentence = f"the next deploy: {drift.next_deploy.effect}, {drift.next_deploy.reason}"
    if drift.edit is None:
        return f"{sentence}; undo the change with the service, or change the file so that the template differs"
    return f"{sentence}; to keep the actual value: {drift.edit.key}: {drift.edit.after} in the file"
