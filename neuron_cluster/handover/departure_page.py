"""The output of `neuron-cluster offboard`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from neuron_cluster.findings.finding import Finding
from neuron_cluster.handover.departure import Departure
from neuron_cluster.protocol.team_departure import Part
from neuron_cluster.table import Table

LOST = "not to be restored"


def departure_tables(found: Departure) -> list[Table]:
    """Returns tables of what is removed, and of what stays; one row for each kind and note."""
    removed = Table(
        f"Removed by the next deploy of {found.environment} without team {found.team}",
        ("what", "which", "effect"),
        tuple(_rows(found.removed)),
    )
    kept = Table("Stays until you delete it", ("what", "which", "note"), tuple(_rows(found.kept)))
    return [table for table in (removed, kept) if table.rows]


def _rows(parts: Sequence[Part]) -> Iterator[tuple[str, str, str]]:
    names: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        names.setdefault((part.kind, part.note), []).append(part.name)
    yield from ((kind, ", ".join(of_kind), note) for (kind, note), of_kind in names.items())


def step_texts(found: Departure) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Words of each step with its number, and its commands, which are not broken into lines."""
    for number, step in enumerate(found.steps, 1):
        yield f"{number}. {step.words}{f' ({LOST})' if step.deletes_data else ''}", step.commands


def departure_as_data(found: Departure, findings: Sequence[Finding]) -> dict[str, Any]:
    """Returns the document of ``--format json``; ``findings`` are those of the environment."""
    return {**to_builtins(found), "findings": [finding.as_dict() for finding in findings]}
