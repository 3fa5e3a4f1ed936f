"""Device-hours of teams as a table and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from neuron_cluster.cost.model import Sum
from neuron_cluster.report.cost_page import UNKNOWN, sum_text
from neuron_cluster.table import Table
from neuron_cluster.usage.queries import CAPACITY, RESERVED, USED
from neuron_cluster.usage.usage import TeamUsage, Usage
from neuron_cluster.usage.window import HOUR, Window, hour_text

COLUMNS = ("team", "reserved", "used", "used/reserved", "USD")
NAMES: Mapping[str, str] = {RESERVED: "reserved devices", USED: "core utilization", CAPACITY: "capacity"}
NO_SOURCE: Mapping[str, str] = {
    RESERVED: "Prometheus has no kueue_cluster_queue_resource_usage: Kueue reports it where the file has `teams` "
    "(deploy after the first team)",
    USED: "Prometheus has no utilization of devices that pods request: the add-ons neuron_monitor and "
    "kube_prometheus_stack report it; with the DRA driver no metric has it by namespace",
    CAPACITY: "Prometheus has no kube_node_status_capacity of Neuron devices: kube-state-metrics of the "
    "add-on kube_prometheus_stack reports it; with the DRA driver nodes have no such resource",
}


def usage_tables(usage: Usage) -> list[Table]:
    """Teams in the order of the file, then the whole environment."""
    hours = len(usage.window.hours)
    title = f"Neuron device-hours of {usage.environment}, {_period(usage.window)} ({hours} hours)"
    totals = (
        ("capacity", _hours(usage.capacity), ""),
        ("reserved", _hours(usage.reserved), _share(usage.reserved, usage.capacity)),
        ("idle", _hours(usage.idle), _share(usage.idle, usage.capacity)),
    )
    return [
        Table(title, COLUMNS, tuple(map(_row, usage.teams))),
        Table("Whole environment", ("", "device-hours", "of capacity"), totals),
    ]


def usage_notes(usage: Usage) -> Iterator[str]:
    """Yields sentences on missing data, and why it is missing."""
    for name, missing in usage.missing.items():
        if len(missing) == len(usage.window.hours):
            yield f"{NO_SOURCE[name]}."
        elif missing:
            yield f"No data of {NAMES[name]} for {_gaps(missing, usage.window)}."
    for team in usage.teams:
        if team.missing and team.missing != usage.missing[RESERVED]:
            yield f"No data of {team.name} for {_gaps(team.missing, usage.window)}."
    if usage.unpriced:
        yield f"The price of {', '.join(usage.unpriced)} is not known."
    yield "USD is what is reserved, at the price of an hour of the instance divided by its devices."


def _row(team: TeamUsage) -> tuple[str, ...]:
    share = f"{team.used_share:.0%}" if team.used_share is not None else UNKNOWN
    return (team.name, _hours(team.reserved), _hours(team.used), share, sum_text(team.usd))


def _hours(hours: Sum) -> str:
    if hours.exact is not None:
        return f"{hours.exact:,.1f}"
    return f"at least {hours.at_least:,.1f}" if hours.at_least else UNKNOWN


def _share(part: Sum, whole: Sum) -> str:
    """Unknown where either lacks an hour: the two would be of other hours."""
    return f"{part.exact / whole.exact:.0%}" if part.exact is not None and whole.exact else UNKNOWN


def _period(window: Window) -> str:
    return f"{hour_text(window.start + HOUR)} to {hour_text(window.end + HOUR)} UTC"


def _gaps(missing: Sequence[int], window: Window) -> str:
    """``3 of 168 hours: 2026-11-20 04:00 to 2026-11-20 07:00``, each span of hours once."""
    spans: list[tuple[int, int]] = []
    for hour in missing:
        if spans and spans[-1][1] == hour - HOUR:
            spans[-1] = (spans[-1][0], hour)
        else:
            spans.append((hour, hour))
    listed = ", ".join(f"{hour_text(first)} to {hour_text(last + HOUR)}" for first, last in spans)
    return f"{len(missing)} of {len(window.hours)} hours: {listed} UTC"


def usage_as_data(usage: Usage) -> dict[str, Any]:
    """Returns the document of ``--format json``: unknown values are null."""
    return {
        "environment": usage.environment,
        "start": _moment(usage.window.start),
        "end": _moment(usage.window.end),
        "hours": len(usage.window.hours),
        "teams": [_team_as_data(team) for team in usage.teams],
        "capacity_device_hours": _sum_as_data(usage.capacity),
        "reserved_device_hours": _sum_as_data(usage.reserved),
        "idle_device_hours": _sum_as_data(usage.idle),
        "hours_without_data": {name: _beginnings(missing) for name, missing in usage.missing.items()},
        "groups_without_price": list(usage.unpriced),
        "notes": list(usage_notes(usage)),
    }


def _team_as_data(team: TeamUsage) -> dict[str, Any]:
    return {
        "name": team.name,
        "reserved_device_hours": _sum_as_data(team.reserved),
        "used_device_hours": _sum_as_data(team.used),
        "used_share": team.used_share,
        "usd": _sum_as_data(team.usd),
        "hours_without_data": _beginnings(team.missing),
    }


def _sum_as_data(total: Sum) -> dict[str, float | None]:
    return {"exact": total.exact, "at_least": total.at_least}


def _beginnings(missing: Sequence[int]) -> list[str]:
    return [_moment(hour - HOUR) for hour in missing]


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
