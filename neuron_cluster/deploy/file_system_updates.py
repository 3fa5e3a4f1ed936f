"""Whether FSx accepts another update of a Lustre file system now: updates of one setting are hours apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.fsx import FileSystemUpdate, updates
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.lustre_updates import IN_ORDER, changed_properties, updated_file_systems
from neuron_cluster.findings.finding import Finding, Location


def file_system_update_findings(target: Target, comparison: Comparison) -> Iterator[Finding]:
    """E9549 for each setting that was updated a short time ago. Queries FSx only for an edit that updates one."""
    for address in updated_file_systems(comparison):
        changed = changed_properties(comparison, address)
        found = _updates(target, address.stack, address.logical_id) if changed else []
        for path in changed:
            last = next((update for update in found if path[-1] in update.changed), None)
            if last is not None and (message := _why_not_now(last)):
                place = Location(address.stack, path=address.logical_id)
                hint = f"leave {IN_ORDER[path]} as deployed until then, or deploy again then"
                yield Finding("E9549", place, f"{IN_ORDER[path]} cannot be updated now: {message}", hint)


def _updates(target: Target, stack: str, logical_id: str) -> list[FileSystemUpdate]:
    """The newest first."""
    ids = [each.physical_id for each in resources(target, stack) if each.logical_id == logical_id]
    found = updates(target, ids[0]) if ids and ids[0] else []
    return [update for update in found if not update.is_without_effect]


def _why_not_now(last: FileSystemUpdate) -> str:
    """Empty where FSx accepts the next update."""
    hours = load_catalog().limits["lustre_update_interval"].require_minimum()
    allowed = (last.requested_at + timedelta(hours=hours)).astimezone(UTC)
    requested = f"its last update was requested at {_time(last.requested_at.astimezone(UTC))}"
    if last.is_in_progress:
        return (
            f"{requested} and is {last.status}; the next one is possible when it is COMPLETED, after {_time(allowed)}"
        )
    if datetime.now(UTC) < allowed:
        return f"{requested}; FSx accepts the next one {hours} hours later, at {_time(allowed)}"
    return ""


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
