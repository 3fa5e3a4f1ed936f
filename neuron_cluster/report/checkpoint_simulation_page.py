"""Simulated trainings: a table of their losses next to those of the formulas, and data for ``--format json``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.checkpoints.assessment import Assessment
from neuron_cluster.checkpoints.distribution import Spread, spread_of
from neuron_cluster.checkpoints.simulation import SimulatedRun
from neuron_cluster.checkpoints.spec import CheckpointSpec
from neuron_cluster.findings.text import time_text
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table

THOUSANDS_FROM = 100_000
LOSSES: Mapping[str, tuple[Callable[[SimulatedRun], float], Callable[[Assessment], float]]] = {
    "stalls": (lambda run: run.stalls, lambda found: found.lost.stalls),
    "steps computed again": (lambda run: run.repeated, lambda found: found.lost.repeated_steps),
    "restarts": (lambda run: run.restarts, lambda found: found.lost.restarts),
    "together": (lambda run: run.lost, lambda found: found.lost.total),
}
KEYS = dict(zip(LOSSES, ("stalls", "repeated_steps", "restarts", "total"), strict=True))
"""In JSON, as `storage size` has them."""


class Simulation(Struct, frozen=True, kw_only=True):
    """Runs of the seeds from ``seed`` on."""

    environment: str | None
    """None where options describe the training."""
    spec: CheckpointSpec
    assessment: Assessment
    devices_per_node: int
    days: float
    seed: int
    runs: tuple[SimulatedRun, ...]

    @property
    def device_hours(self) -> float:
        """Device-hours of one run, lost or not."""
        return self.days * 24 * self.spec.nodes * self.devices_per_node

    def in_device_hours(self, seconds: float) -> float:
        return seconds / 3600 * self.spec.nodes * self.devices_per_node


def simulation_as_data(found: Simulation) -> dict[str, Any]:
    """Losses in hours of Neuron devices, times in seconds."""
    lags = [run.worst_export_lag for run in found.runs if run.worst_export_lag is not None]
    return {
        "environment": found.environment,
        "days": found.days,
        "runs": len(found.runs),
        "seed": found.seed,
        "interval": found.assessment.interval,
        "device_hours": found.device_hours,
        "failures": plain(spread_of(found.runs, lambda run: run.failures)),
        "lost_device_hours": {
            KEYS[name]: plain(_in_device_hours(found, number)) for name, (number, _) in LOSSES.items()
        },
        "expected_lost_device_hours": None
        if found.assessment.lost.is_beyond_formula
        else {KEYS[name]: expected(found.assessment) * found.device_hours for name, (_, expected) in LOSSES.items()},
        "worst_recovery_point": max(run.worst_recovery_point for run in found.runs),
        "worst_export_lag": max(lags, default=None),
        "lost_at_end": plain(spread_of(found.runs, lambda run: run.lost_at_end)),
    }


def _in_device_hours(found: Simulation, number: Callable[[SimulatedRun], float]) -> Spread:
    return spread_of(found.runs, lambda run: found.in_device_hours(number(run)))


def simulation_tables(found: Simulation) -> list[Table]:
    title = f"Lost device-hours of {found.device_hours:,.0f} in {found.days:g} days, {len(found.runs)} runs"
    columns = ("lost to", "5 %", "median", "95 %", "mean", "share", "formula")
    rows = tuple(_loss_row(found, name) for name in LOSSES)
    note = (
        "A device-hour is an hour of a Neuron device. The formula is that of Young and Daly: higher where nodes often "
        f"fail while programs start again{_beyond(found)}. Seeds from {found.seed} on."
    )
    return [Table(title, columns, rows, note), _times(found)]


def _beyond(found: Simulation) -> str:
    """Returns the text in place of the column of the formula, where its parts are more than all time."""
    if not found.assessment.lost.is_beyond_formula:
        return ""
    return ", and without a result here, where failures follow each other faster than programs start"


def _loss_row(found: Simulation, name: str) -> tuple[str, ...]:
    number, expected = LOSSES[name]
    spread = _in_device_hours(found, number)
    hours = (_hours(each) for each in (spread.low, spread.median, spread.high, spread.mean))
    share = spread.mean / found.device_hours
    formula = "-" if found.assessment.lost.is_beyond_formula else f"{expected(found.assessment):.1%}"
    return (name, *hours, f"{share:.1%}", formula)


def _hours(hours: float) -> str:
    return f"{hours / 1000:,.0f}k" if hours >= THOUSANDS_FROM else f"{hours:,.0f}"


def _times(found: Simulation) -> Table:
    failures = spread_of(found.runs, lambda run: run.failures)
    end = spread_of(found.runs, lambda run: run.lost_at_end)
    worst = max(run.worst_recovery_point for run in found.runs)
    rows = [
        ("interval", time_text(found.assessment.interval)),
        ("failures", f"{failures.mean:,.1f} on average, {failures.low:,.0f} to {failures.high:,.0f}"),
        ("most work lost by one failure", time_text(worst)),
        ("work since the last checkpoint at the end", f"{time_text(end.mean)} on average"),
    ]
    lags = [run.worst_export_lag for run in found.runs if run.worst_export_lag is not None]
    if lags:
        grows = "; the queue grows" if (found.assessment.export or 0) > found.assessment.interval else ""
        rows.append(("longest export", f"{time_text(max(lags))}{grows}"))
    return Table(f"On {found.assessment.target}", ("what", "value"), tuple(rows))
