"""The drift of an environment as `drift` and `diff` print it with `--format json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from neuron_cluster.drift.records import ChangedBy, Drift, EnvironmentDrift, FileEditHint, Uncompared
from neuron_cluster.findings.finding import Finding


def drift_as_data(
    found: EnvironmentDrift, adopted: Sequence[str] = (), errors: Sequence[Finding] = ()
) -> dict[str, Any]:
    """``adopted`` are the keys that `--adopt` has written, ``errors`` why it wrote none."""
    return {
        "environment": found.environment,
        "account": found.account,
        "region": found.region,
        "at": found.at.isoformat(timespec="seconds"),
        "has_drift": bool(found.drifts),
        "is_complete": found.is_complete,
        "stacks": list(found.stacks),
        "resources": found.resources,
        "compared": found.compared,
        "calls": found.calls,
        "drifts": [_drift(drift) for drift in found.drifts],
        "not_compared": [_part(part) for part in found.uncompared],
        "trail": found.trail.reason if found.trail is not None else None,
        "adopted": list(adopted),
        "findings": [finding.as_dict() for finding in errors],
    }


def drift_part_as_data(found: EnvironmentDrift) -> dict[str, Any]:
    """The drift of what a deploy changes, as `diff --format json` prints it."""
    return {
        "drifts": [_drift(drift) for drift in found.drifts],
        "compared": found.compared,
        "not_read": found.left_out,
        "not_compared": [_part(part) for part in found.uncompared],
        "trail": found.trail.reason if found.trail is not None else None,
    }


def _drift(drift: Drift) -> dict[str, Any]:
    return {
        "severity": drift.severity.value,
        "kind": drift.kind.value,
        "stack": drift.stack,
        "resource": drift.logical_id or None,
        "type": drift.type,
        "physical_id": drift.physical_id,
        "property": drift.property or None,
        "template": drift.template,
        "actual": drift.actual,
        "changed_by": _event(drift.changed_by) if drift.changed_by is not None else None,
        "next_deploy": {"effect": drift.next_deploy.effect.value, "reason": drift.next_deploy.reason},
        "edit": _edit(drift.edit) if drift.edit is not None else None,
    }


def _event(event: ChangedBy) -> dict[str, Any]:
    return {"who": event.who, "event": event.event, "at": event.at.isoformat(timespec="seconds")}


def _edit(edit: FileEditHint) -> dict[str, Any]:
    return {"key": edit.key, "before": edit.before, "after": edit.after}


def _part(part: Uncompared) -> dict[str, Any]:
    return {
        "reason": part.reason,
        "call": part.call or None,
        "is_denied": part.is_denied,
        "is_never_read": part.is_never_read,
        "resources": list(part.resources),
    }
